#pragma once

#include <set>
#include <string>

#include "grader/engine/variations/scratch_build.h"
#include "grader/proof/check/check.h"

namespace kv::grader {

// Most students write a lab for its core points alone. The bugs of such a work are named as those
// of the whole solution. named: the bugs that are named there.
void check_core_only_bugs(const Kit& kit,
                          const LabSpec& lab,
                          const std::set<std::string>& named,
                          ScratchBuild& build,
                          Checks& checks);

}  // namespace kv::grader

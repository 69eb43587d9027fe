#pragma once
// A lab's solution with some of its steps; the others are stubs.

#include <functional>
#include <string>

#include "base/kit/kit.h"

namespace kv::grader {

// Whether a step, "1.2", is written.
using IsWritten = std::function<bool(const std::string& step)>;

// A file of it. What a later step rewrites has its first form until that step is written.
std::string text_with_steps(const Kit& kit,
                            const LabSpec& lab,
                            const IsWritten& is_written,
                            const std::string& file);

// A file of a work that has the core points alone: steps of the extra points are stubs, and what a
// core step does for them is left out, as in the known bugs with `@ core_only`.
std::string core_only_text(const Kit& kit, const LabSpec& lab, const std::string& file);

}  // namespace kv::grader

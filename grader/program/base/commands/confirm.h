#pragma once

#include <string>

namespace kv::grader {

// Asks at a terminal; only y or yes means yes. Throws UsageError with `refusal` where nobody can
// be asked.
bool confirm(const std::string& question, const std::string& refusal);

}  // namespace kv::grader

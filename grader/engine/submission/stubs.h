#pragma once
// The stubs: which are left in a text, and how the kit hands them out. Those are made from the
// solution, because starter/ is where the student works.

#include <string>
#include <string_view>
#include <vector>

#include "base/cpp_text/functions.h"
#include "base/kit/kit.h"

namespace kv::grader {

struct Stub {
  std::string step;   // "1.2"
  std::size_t begin;  // where its KV_TODO begins, as an offset in the source
};

// The KV_TODO calls in a text; one in a comment is none.
std::vector<Stub> stubs_in(std::string_view source);

// The steps whose KV_TODO is in this text: "1.2", "1.3".
std::vector<std::string> open_steps(const std::string& source);

// The function of a step in the solution. The score sheet names "touch", and this has the whole
// name. Throws KitBroken: it is gone.
FunctionText function_of_kit(const std::string& solution, const StepSpec& step);

// The function of a step as it is in an untouched starter/, without a template header.
std::string stub_text(const Kit& kit, const LabSpec& lab, const StepSpec& step);

// A file of a lab as it is in an untouched starter/.
std::string untouched_text(const Kit& kit, const LabSpec& lab, const std::string& file);

}  // namespace kv::grader

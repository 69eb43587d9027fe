#include "grader/classroom/class/solution_copy.h"

#include <algorithm>
#include <vector>

#include "base/cpp_text/functions.h"
#include "base/kit/closed_labs.h"
#include "grader/classroom/similar/fingerprints.h"

namespace kv::grader::classroom {
namespace {

using Texts = std::vector<std::string>;

// The tokens of each function in their normal form. Why sorted: the order of functions says
// nothing.
std::vector<std::vector<std::uint32_t>> functions_of(const Texts& texts) {
  std::vector<std::vector<std::uint32_t>> functions;
  for (const std::string& text : texts) {
    for (const FunctionText& function : all_functions(text)) {
      const std::string own = text.substr(function.begin, function.close - function.begin);
      std::vector<std::uint32_t>& codes = functions.emplace_back();
      for (const similar::NormalToken& token : similar::normal_tokens(own, {}))
        codes.push_back(token.code);
    }
  }
  std::ranges::sort(functions);
  return functions;
}

}  // namespace

std::string solution_note(const Kit& kit, const LabSpec& lab, const fs::path& tree) {
  if (is_closed(kit, lab)) return "";  // Its place has the stubs.
  Texts own, solution;
  for (const std::string& file : lab.files) {
    if (!fs::exists(tree / lab.folder / file)) return "";
    own.push_back(read_file(tree / lab.folder / file));
    solution.push_back(kit.solution_text(lab, file));
  }
  if (own == solution) return "lab " + lab.id + ": all files are the kit's solution, byte for byte";
  if (functions_of(own) == functions_of(solution))
    return "lab " + lab.id +
           ": all functions are the kit's solution but for comments, names, numbers or order";
  return "";
}

}  // namespace kv::grader::classroom

#include "grader/program/mutate/schemata.h"

#include "grader/program/mutate/code.h"
#include "grader/program/mutate/complaints.h"

namespace kv::grader::mutate {
namespace {

// <ranges> is for loops run backward.
constexpr const char* kPrelude = R"(#include <cstdlib>
#include <ranges>
static const int active_mutant = [] {
  const char* number = std::getenv("KV_MUTANT");
  return number == nullptr ? 0 : std::atoi(number);
}();
)";

std::string one_case(const Mutant& mutant) {
  return "case " + std::to_string(mutant.id) + ": {\n#line 1 \"" + std::string(kMutantLine) +
         std::to_string(mutant.id) + "\"\n" + mutant.body + "} break;\n";
}

}  // namespace

std::string schemata(const std::string& source,
                     const std::string& file,
                     const std::vector<Mutant>& mutants) {
  std::string text = kPrelude;
  std::size_t copied = 0;
  for (const Code& code : code_of(source)) {
    text += source.substr(copied, code.begin - copied) + "switch (active_mutant) {\n";
    for (const Mutant& mutant : mutants) {
      if (mutant.file == file && mutant.body_begin == code.begin) text += one_case(mutant);
    }
    text += "#line 1 \"solution\"\ndefault: {\n" +
            source.substr(code.begin, code.end - code.begin) + "}\n}\n";
    // Why: a mutant may come to the end where the original returned something.
    if (!code.returns_nothing) text += "__builtin_trap();\n";
    copied = code.end;
  }
  return text + source.substr(copied);
}

}  // namespace kv::grader::mutate

#include "grader/program/mutate/schemata.h"

#include "grader/program/mutate/code.h"

namespace kv::grader::mutate {
namespace {

constexpr std::string_view kLineName = "mutant-";

// `ranges` is what the mutants need beyond the file's own includes.
std::string prelude() {
  return std::string("#include <cstdlib>\n#include <ranges>\n") +
         "static const int active_mutant = [] {\n" + "  const char* number = std::getenv(\"" +
         kActiveMutant + "\");\n" + "  return number == nullptr ? 0 : std::atoi(number);\n}();\n";
}

std::string one_case(const Mutant& mutant) {
  return "case " + std::to_string(mutant.id) + ": {\n#line 1 \"" + std::string(kLineName) +
         std::to_string(mutant.id) + "\"\n" + mutant.body + "} break;\n";
}

}  // namespace

std::string schemata(const std::string& source,
                     const std::string& file,
                     const std::vector<Mutant>& mutants) {
  std::string text = prelude();
  std::size_t copied = 0;
  for (const Code& code : code_of(source)) {
    text += source.substr(copied, code.begin - copied) + "switch (active_mutant) {\n";
    for (const Mutant& mutant : mutants) {
      if (mutant.file == file && mutant.body_begin == code.begin) text += one_case(mutant);
    }
    text += "default: {\n" + source.substr(code.begin, code.end - code.begin) + "}\n}\n";
    // Why: a mutant may come to the end where the original returned something.
    if (!code.returns_nothing) text += "__builtin_trap();\n";
    copied = code.end;
  }
  return text + source.substr(copied);
}

std::optional<int> complained_of(const std::string& line) {
  const std::size_t at = line.find(kLineName);
  const auto says = [&](std::string_view words) { return line.find(words) != line.npos; };
  const bool is_error = says("error:") || says("required") || says("in instantiation of");
  if (at == line.npos || !is_error) return std::nullopt;
  return std::atoi(line.c_str() + at + kLineName.size());
}

}  // namespace kv::grader::mutate

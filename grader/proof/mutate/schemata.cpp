#include "grader/proof/mutate/schemata.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "grader/proof/mutate/function_body.h"

namespace kv::grader::mutate {
namespace {

constexpr std::string_view kMutantLine = "mutant-";  // #line 1 "mutant-17"

// <ranges> is for loops that run backward, <cstdint> for counts that are cut. Why guarded: a file
// may include another one of these. Why in kv: the simulator lets kernels read the kit's variables.
constexpr const char* kPrelude = R"(#ifndef KV_ACTIVE_MUTANT
#define KV_ACTIVE_MUTANT
#include <cstdint>
#include <cstdlib>
#include <ranges>
namespace kv {
static const int active_mutant = [] {
  const char* number = std::getenv("KV_MUTANT");
  return number == nullptr ? 0 : std::atoi(number);
}();
}
#endif
)";

// The lines of a body up to the last `__shared__` array, which a kernel declares first.
std::string_view declarations_of_shared(std::string_view body) {
  const std::size_t last = body.rfind("__shared__ ");
  return last == body.npos ? "" : body.substr(0, body.find('\n', last) + 1);
}

std::string one_case(const Mutant& mutant, std::string_view body) {
  return "case " + std::to_string(mutant.id) + ": {\n#line 1 \"" + std::string(kMutantLine) +
         std::to_string(mutant.id) + "\"\n" + std::string(body) + "} break;\n";
}

// Why two switches: mutants that leave the declarations as they are share the arrays. With arrays
// of its own, each case would enlarge the shared memory of every kernel, and the simulator clears
// all of it for each block.
std::string switch_of(std::string_view body, const std::vector<Mutant>& mutants) {
  const std::string_view declarations = declarations_of_shared(body);
  std::string outer, inner;
  for (const Mutant& mutant : mutants) {
    const std::string_view changed = mutant.body;
    if (changed.starts_with(declarations)) {
      inner += one_case(mutant, changed.substr(declarations.size()));
    } else {
      outer += one_case(mutant, changed);
    }
  }
  return "switch (::kv::active_mutant) {\n" + outer + "#line 1 \"solution\"\ndefault: {\n" +
         std::string(declarations) + "switch (::kv::active_mutant) {\n" + inner +
         "#line 1 \"solution\"\ndefault: {\n" + std::string(body.substr(declarations.size())) +
         "}\n}\n}\n}\n";
}

}  // namespace

std::string schemata(const std::string& source,
                     const std::string& file,
                     const std::vector<Mutant>& mutants) {
  std::string text = kPrelude;
  std::size_t copied = 0;
  for (const FunctionBody& body : function_bodies(source)) {
    std::vector<Mutant> changed;
    std::ranges::copy_if(mutants, std::back_inserter(changed), [&](const Mutant& mutant) {
      return mutant.file == file && mutant.body_begin == body.begin;
    });
    text += source.substr(copied, body.begin - copied);
    text += switch_of(std::string_view(source).substr(body.begin, body.end - body.begin), changed);
    // Why: a mutant may reach the end of a body where the original returns a value.
    if (!body.returns_nothing) text += "__builtin_trap();\n";
    copied = body.end;
  }
  return text + source.substr(copied);
}

void Diagnostics::read(const std::string& line) {
  const auto has = [&](std::string_view words) { return line.find(words) != line.npos; };
  const std::size_t at = line.find(kMutantLine);
  const bool names_mutant = at != line.npos;
  const int mutant = names_mutant ? std::atoi(line.c_str() + at + kMutantLine.size()) : 0;
  if (has("error:") || has("warning:")) {
    last_was_error_ = has("error:");
    if (last_was_error_) mutants_.merge(led_here_);
    led_here_.clear();
    if (last_was_error_ && names_mutant) mutants_.insert(mutant);
  } else if (names_mutant && has("required")) {
    led_here_.insert(mutant);
  } else if (names_mutant && has("in instantiation of") && last_was_error_) {
    mutants_.insert(mutant);
  }
}

}  // namespace kv::grader::mutate

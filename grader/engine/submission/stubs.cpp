#include "grader/engine/submission/stubs.h"

#include "base/cpp_text/lexer.h"
#include "base/kit/closed_labs.h"
#include "base/text/errors.h"

namespace kv::grader {
namespace {

// The function with its given lines and a KV_TODO in place of the others.
std::string stub_of(const std::string& solution,
                    const FunctionText& function,
                    const StepSpec& step) {
  std::size_t end = function.body_begin;
  for (std::size_t i = 0; i < step.num_given_lines; ++i) end = solution.find('\n', end) + 1;
  return solution.substr(function.begin, end - function.begin) + "  KV_TODO(\"" + step.heading() +
         "\");\n}";
}

}  // namespace

std::vector<Stub> stubs_in(std::string_view source) {
  const std::vector<Token> tokens = tokenize(source, Directives::kSkip);
  std::vector<Stub> stubs;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const Token& heading = tokens[i + 2];
    if (!tokens[i].is("KV_TODO") || !tokens[i + 1].is("(") || heading.text.front() != '"') continue;
    const std::string_view text = heading.text.substr(1);
    stubs.push_back({std::string(text.substr(0, text.find_first_of(" \""))), tokens[i].begin});
  }
  return stubs;
}

std::vector<std::string> open_steps(const std::string& source) {
  std::vector<std::string> steps;
  for (Stub& stub : stubs_in(source)) steps.push_back(std::move(stub.step));
  return steps;
}

FunctionText function_of_kit(const std::string& solution, const StepSpec& step) {
  if (auto function = find_function(solution, step.name)) return *function;
  throw KitBroken("the solution of step " + step.heading() +
                  " is gone; to get it back: " + "git checkout -- solution");
}

std::string stub_text(const Kit& kit, const LabSpec& lab, const StepSpec& step) {
  const std::string solution = kit.solution_text(lab, step.file);
  return stub_of(solution, function_of_kit(solution, step), step);
}

std::string untouched_text(const Kit& kit, const LabSpec& lab, const std::string& file) {
  std::string text = kit.solution_text(lab, file);
  if (is_closed(kit, lab)) return text;  // Then the solution's files are the stubs.
  for (const StepSpec& step : lab.steps) {
    if (step.file != file || !step.has_stub()) continue;
    const FunctionText function = function_of_kit(text, step);
    text.replace(function.begin, function.close + 1 - function.begin,
                 stub_of(text, function, step));
  }
  return text;
}

}  // namespace kv::grader

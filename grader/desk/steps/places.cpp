#include "grader/desk/steps/places.h"

#include <algorithm>

#include "base/cpp_text/lexer.h"
#include "grader/engine/submission/stubs.h"

namespace kv::grader::steps {
namespace {

// From the name to the brace, as tokens.
std::vector<std::string_view> head_of(std::string_view source, const FunctionText& function) {
  const std::size_t begin = function.begin + function.result.size();
  std::vector<std::string_view> texts;
  for (const Token& token : tokenize(source, begin, function.open, Directives::kSkip))
    texts.push_back(token.text);
  return texts;
}

bool closes(const Token& open, const Token& close) {
  constexpr std::string_view kPairs = "()[]{}";
  return kPairs[kPairs.find(open.text) + 1] == close.text.front();
}

}  // namespace

Place place_of(std::string_view source, std::size_t offset) {
  const std::string_view before = source.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          .column = 1 + offset - line_begin};
}

std::optional<FunctionText> find_step(const Kit& kit,
                                      const LabSpec& lab,
                                      const StepSpec& step,
                                      std::string_view source) {
  const std::string solution = kit.solution_text(lab, step.file);
  const FunctionText ours = function_of_kit(solution, step);
  std::vector<FunctionText> found = all_functions(source);
  std::erase_if(found, [&](const FunctionText& other) { return other.name != ours.name; });
  if (found.size() > 1) {
    std::erase_if(found, [&](const FunctionText& other) {
      return head_of(source, other) != head_of(solution, ours);
    });
  }
  if (found.size() != 1) return std::nullopt;
  return found.front();
}

std::optional<Place> find_place(const Kit& kit,
                                const LabSpec& lab,
                                const StepSpec& asked,
                                std::string_view source) {
  const StepSpec& step = lab.with_stub(asked);
  const std::vector<Stub> stubs = stubs_in(source);
  const auto stub = std::ranges::find(stubs, step.number, &Stub::step);
  if (stub != stubs.end()) return place_of(source, stub->begin);
  const auto function = find_step(kit, lab, step, source);
  if (!function) return std::nullopt;
  return place_of(source, source.find(function->name, function->begin + function->result.size()));
}

std::optional<Place> unmatched_bracket(std::string_view source) {
  const std::vector<Token> tokens = tokenize(source, Directives::kSkip);
  std::vector<Token> open;
  for (const Token& token : tokens) {
    const int nests = token.kind == TokenKind::kSymbol ? nesting(token.text) : 0;
    if (nests > 0) open.push_back(token);
    if (nests >= 0) continue;
    if (open.empty()) return place_of(source, token.begin);
    if (!closes(open.back(), token)) return place_of(source, open.back().begin);
    open.pop_back();
  }
  if (open.empty()) return std::nullopt;
  return place_of(source, open.back().begin);
}

namespace {

bool is_inside(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

std::string shown_path(const Kit& kit, const fs::path& file) {
  const fs::path root = fs::weakly_canonical(kit.root);
  const fs::path here = fs::current_path();
  const fs::path there = fs::weakly_canonical(file);
  const bool is_near = is_inside(here, root) && is_inside(there, root);
  return printable((is_near ? there.lexically_relative(here) : there).string());
}

}  // namespace kv::grader::steps

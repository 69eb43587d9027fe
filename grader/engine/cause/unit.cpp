#include "grader/engine/cause/unit.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

#include "base/cpp_text/declaration.h"
#include "base/cpp_text/functions.h"
#include "base/process/process.h"

namespace kv::grader::cause {
namespace {

std::string demangled(const std::string& linker_name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(linker_name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : "";
}

// "void kv::BlockPool::touch(std::span)" -> "BlockPool::touch". Empty for what is no function of
// namespace kv: a lambda in one, a table.
std::string function_of(const std::string& declaration) {
  const std::string plain = without_template_arguments(declaration);
  const std::size_t parameters = plain.find('(');
  const std::size_t close = plain.rfind(')');
  if (parameters == plain.npos || plain.find("::", close) != plain.npos) return "";
  if (plain.find(")::") != plain.npos) return "";
  std::string name = plain.substr(0, parameters);
  name.erase(0, name.find_last_of(" *&") + 1);
  name.erase(std::min(name.find('['), name.size()));  // [abi:cxx11]
  if (!name.starts_with("kv::")) return "";
  return replace_all(name.substr(4), std::string(kNamedNamespace) + "::", "");
}

}  // namespace

std::string without_template_arguments(std::string_view name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  return plain;
}

std::vector<Symbol> symbols_of(const fs::path& library) {
  const Outcome listed = run({.argv = {"nm", "-D", "-P", "--defined-only", library.string()}});
  std::vector<Symbol> symbols;
  for (const std::string& line : split_lines(listed.output)) {
    const std::size_t end = line.find(' ');
    if (end == line.npos || end + 1 == line.size()) continue;
    const char kind = line[end + 1];
    if (kind != 'T' && kind != 'W') continue;
    std::string linker_name = line.substr(0, end);
    std::string function = function_of(demangled(linker_name));
    if (!function.empty()) symbols.push_back({std::move(linker_name), std::move(function)});
  }
  return symbols;
}

namespace {

// The definitions in a source by function, as tokens: comments and line breaks make no difference.
using Definitions = std::map<std::string, std::vector<std::string>>;

Definitions definitions_in(const std::string& source) {
  Definitions definitions;
  for (const FunctionText& function : all_functions(source)) {
    std::vector<std::string>& tokens = definitions[without_template_arguments(function.name)];
    const std::string text = join(function.lines, "\n");
    for (const Token& token : tokenize(text, Directives::kSkip)) tokens.emplace_back(token.text);
  }
  return definitions;
}

Unit unit_of(const Kit& kit, const LabSpec& lab, const StepSpec& step) {
  const std::string source = kit.solution_text(lab, step.file);
  const auto function = find_function(source, step.name);
  return {.steps = {step.number},
          .name = "step " + step.heading(),
          .heading = step.heading(),
          .functions = {without_template_arguments(function ? function->name : step.name)}};
}

// Steps that a later step rewrites become one unit with its name.
std::vector<Unit> units_of_steps(const Kit& kit, const LabSpec& lab) {
  std::vector<Unit> units;
  for (const StepSpec& step : lab.steps) {
    if (step.has_stub()) {
      units.push_back(unit_of(kit, lab, step));
      continue;
    }
    Unit together{.name = "step " + step.heading(), .heading = step.heading()};
    const auto is_rewritten = [&](const Unit& unit) {
      return unit.steps.size() == 1 && step.first_forms.contains(unit.steps.front());
    };
    for (const Unit& unit : units) {
      if (!is_rewritten(unit)) continue;
      together.steps.push_back(unit.steps.front());
      together.functions.insert(unit.functions.begin(), unit.functions.end());
    }
    std::erase_if(units, is_rewritten);
    units.push_back(std::move(together));
  }
  return units;
}

// The functions of the lab whose text is not the solution's.
std::set<std::string> changed_functions(const Kit& kit, const LabSpec& lab, const fs::path& tree) {
  std::set<std::string> changed;
  for (const std::string& file : lab.files) {
    const Definitions ours = definitions_in(kit.solution_text(lab, file));
    const Definitions theirs = definitions_in(read_file(tree / lab.folder / file));
    for (const auto& [function, tokens] : ours) {
      const auto own = theirs.find(function);
      if (own != theirs.end() && own->second != tokens) changed.insert(function);
    }
  }
  return changed;
}

using Texts = std::vector<std::string_view>;

Texts texts_of(Tokens tokens) {
  Texts texts;
  for (const Token& token : tokens) texts.push_back(token.text);
  return texts;
}

// `struct Name { ... }` for each class of a source.
std::vector<Texts> classes_in(const std::string& source) {
  const std::vector<Token> tokens = tokenize(source, Directives::kSkip);
  std::vector<Texts> classes;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool has_body = tokens[i + 2].is("{") || tokens[i + 2].is(":");
    if (!begins_type(tokens[i]) || !has_body) continue;
    const auto open = std::find_if(tokens.begin() + static_cast<std::ptrdiff_t>(i), tokens.end(),
                                   [](const Token& token) { return token.is("{"); });
    const std::size_t close =
        matching_bracket(tokens, static_cast<std::size_t>(open - tokens.begin()), 1);
    if (close == tokens.size()) break;
    classes.push_back(texts_of(Tokens(tokens).subspan(i, close - i)));
  }
  return classes;
}

}  // namespace

std::vector<Unit> changed_units(const Kit& kit, const LabSpec& lab, const fs::path& tree) {
  const std::set<std::string> changed = changed_functions(kit, lab, tree);
  std::vector<Unit> units = units_of_steps(kit, lab);
  const auto is_changed = [&](const std::string& function) { return changed.contains(function); };
  std::set<std::string> of_steps;
  for (const Unit& unit : units) of_steps.insert(unit.functions.begin(), unit.functions.end());
  std::erase_if(units,
                [&](const Unit& unit) { return std::ranges::none_of(unit.functions, is_changed); });
  for (const std::string& function : changed) {
    if (of_steps.contains(function)) continue;
    units.push_back({.steps = {},
                     .name = "the given function " + function,
                     .heading = {},
                     .functions = {function}});
  }
  return units;
}

bool can_be_mixed(const Kit& kit, const LabSpec& lab, const fs::path& tree) {
  for (const std::string& header : lab.headers) {
    if (fs::exists(tree / lab.folder / header)) return false;
  }
  for (const std::string& file : lab.files) {
    const std::string ours = kit.solution_text(lab, file);
    const std::string theirs = read_file(tree / lab.folder / file);
    const std::vector<Token> tokens = tokenize(theirs, Directives::kSkip);
    const Texts own = texts_of(tokens);
    // Why not std::ranges::search: clang 14 does not compile that of GCC's library.
    for (const Texts& one : classes_in(ours)) {
      if (std::search(own.begin(), own.end(), one.begin(), one.end()) == own.end()) return false;
    }
  }
  return true;
}

std::set<std::string> functions_of_solution(const Kit& kit, const LabSpec& lab) {
  std::set<std::string> functions;
  for (const std::string& file : lab.files) {
    for (const auto& [function, tokens] : definitions_in(kit.solution_text(lab, file)))
      functions.insert(function);
  }
  return functions;
}

}  // namespace kv::grader::cause

#include "grader/program/cpptext/functions.h"

#include <algorithm>
#include <cctype>

#include "grader/program/base/text.h"

namespace kv::grader {
namespace {

bool is_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool begins_type(const std::string& line) {
  return line.starts_with("struct ") || line.starts_with("class ") || line.starts_with("enum ");
}

// Does a definition begin here? A line in the first column with a parameter list; a ";" before the
// body makes it a declaration.
bool begins_function(const std::vector<std::string>& lines, std::size_t i) {
  if (lines[i].empty() || !is_identifier(lines[i][0])) return false;
  if (lines[i].find('(') == std::string::npos || begins_type(lines[i])) return false;
  while (i < lines.size() && !lines[i].ends_with('{') && !lines[i].ends_with('}')) {
    if (lines[i].ends_with(';')) return false;
    ++i;
  }
  return true;
}

bool names(const std::string& line, const std::string& name) {
  const std::size_t at = line.find(name + "(");
  return at != std::string::npos && (at == 0 || !is_identifier(line[at - 1]));
}

}  // namespace

std::vector<FunctionText> all_functions(const std::string& source) {
  const std::vector<std::string> lines = split_lines(source);
  std::vector<FunctionText> functions;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!begins_function(lines, i)) continue;
    FunctionText function{.first_line = i, .num_lines = 0, .lines = {}};
    const bool is_one_line = lines[i].ends_with('}');
    while (i < lines.size()) {
      function.lines.push_back(lines[i]);
      if (is_one_line || lines[i] == "}") break;
      ++i;
    }
    function.num_lines = function.lines.size();
    functions.push_back(std::move(function));
  }
  return functions;
}

std::optional<FunctionText> find_function(const std::string& source, const std::string& name) {
  for (FunctionText& function : all_functions(source)) {
    if (names(function.lines.front(), name)) return std::move(function);
  }
  return std::nullopt;
}

}  // namespace kv::grader

#include "grader/program/functions.h"

#include <algorithm>
#include <cctype>

#include "grader/program/text.h"

namespace kv::grader {
namespace {

bool is_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Does a definition begin here? A line in the first column with a parameter list, and no ";" at
// its end.
bool begins_function(const std::string& line) {
  return !line.empty() && is_identifier(line[0]) && line.find('(') != std::string::npos &&
         !line.ends_with(';');
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
    if (!begins_function(lines[i])) continue;
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

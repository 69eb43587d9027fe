// The parts of a Markdown page, and the picture in README.md.

#include <regex>
#include <sstream>

#include "grader/proof/check/documents.h"

namespace kv::grader {

std::string words_of_picture(const Kit& kit) {
  std::string text = read_file(kit.root / "docs/site/figures/watch.svg");
  text = std::regex_replace(text, std::regex("<[^>]*>"), " ");
  text = replace_all(replace_all(text, "&lt;", "<"), "&gt;", ">");
  return in_one_line(replace_all(text, "&amp;", "&"));
}

std::vector<std::string> parts_between(const std::string& text,
                                       std::string_view begin,
                                       std::string_view end) {
  std::vector<std::string> parts;
  std::size_t at = text.find(begin);
  while (at != std::string::npos) {
    const std::size_t first = at + begin.size();
    const std::size_t last = text.find(end, first);
    if (last == std::string::npos) break;
    parts.push_back(text.substr(first, last - first));
    at = text.find(begin, last + end.size());
  }
  return parts;
}

std::vector<std::string> table_cells(const std::string& line) {
  std::vector<std::string> cells;
  if (!line.starts_with("|")) return cells;
  std::size_t begin = 1;
  for (std::size_t end = line.find('|', begin); end != std::string::npos;
       end = line.find('|', begin)) {
    cells.push_back(without_outer_spaces(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string without_outer_spaces(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

}  // namespace kv::grader

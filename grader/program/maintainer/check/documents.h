#pragma once
// The parts of the kit's texts.

#include <regex>
#include <set>
#include <string>

#include "common/text.h"
#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

// What the picture in README.md shows, scene after scene, in one line.
std::string words_of_picture(const Kit& kit);

// What stands between `begin` and `end`, for each such part of `text`.
std::vector<std::string> parts_between(const std::string& text,
                                       std::string_view begin,
                                       std::string_view end);

// The cells of a row of a Markdown table; empty for any other line.
std::vector<std::string> table_cells(const std::string& line);

// The links of Markdown pages: to files, their headings, and the web.
struct Links {
  std::size_t num = 0;
  std::string broken = {};  // a line for each that leads nowhere: "README.md: docs/gone.md"
};

// files: paths in `root`. What is no page is left out.
Links links_in(const fs::path& root, const std::vector<fs::path>& files);

std::string without_outer_spaces(const std::string& text);
std::string in_one_line(const std::string& text);  // with one blank between two words

// The words that stand where the pattern has its group, of all lines that have the pattern.
inline std::set<std::string> matched_words(const std::string& text, const std::regex& pattern) {
  std::set<std::string> words;
  for (const std::string& line : split_lines(text)) {
    std::smatch found;
    if (std::regex_search(line, found, pattern)) words.insert(found[1]);
  }
  return words;
}

}  // namespace kv::grader

#pragma once
// The parts of the kit's texts.

#include <string>
#include <vector>

#include "base/text/text.h"
#include "grader/proof/check/check.h"

namespace kv::grader {

// What the picture in README.md shows, scene after scene, in one line.
std::string words_of_picture(const Kit& kit);

// What stands between `begin` and `end`, for each such part of `text`.
std::vector<std::string> parts_between(const std::string& text,
                                       std::string_view begin,
                                       std::string_view end);

// The cells of a row of a Markdown table; empty for any other line.
std::vector<std::string> table_cells(const std::string& line);

std::string without_outer_spaces(const std::string& text);
std::string in_one_line(const std::string& text);  // with one blank between two words

}  // namespace kv::grader

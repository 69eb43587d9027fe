#pragma once
// A text that is cut to the size of a terminal.

#include <string>
#include <string_view>
#include <vector>

#include "grader/program/student/watch/terminal.h"

namespace kv::grader::watch {

struct Page {
  std::string text = {};
  std::string foot = {};  // always in sight, at the bottom
  std::size_t first = 0;  // the first line of the text that is shown

  // At most as many as there are rows. If the text does not fit, the line above the foot says how
  // much is left and how to see it.
  std::vector<std::string> lines(Size size) const;

  // Shows what is below; from the top again when there is nothing.
  void turn(Size size);
};

// Lines of at most `columns` characters, broken at a blank where there is one; what follows has the
// margin of its line. Sequences for colors have no width.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

// Markdown with each paragraph and each item of a list in one line, so that it can be wrapped.
// Lines with a margin of four, drawings, stay.
std::string with_whole_paragraphs(const std::string& markdown);

}  // namespace kv::grader::watch

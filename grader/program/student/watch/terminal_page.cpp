#include "grader/program/student/watch/terminal_page.h"

#include <algorithm>

#include "common/text.h"

namespace kv::grader::watch {
namespace {

constexpr std::string_view kTab = "    ";

// The offset after the character, or the sequence for a color, that begins at `at`.
std::size_t end_of_character(std::string_view text, std::size_t at) {
  if (text[at] == '\033') return std::min(text.find('m', at), text.size() - 1) + 1;
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

// The bytes of the characters that fit in `columns`.
std::size_t size_that_fits(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (at < text.size() && (columns > 0 || text[at] == '\033')) {
    if (text[at] != '\033') --columns;
    at = end_of_character(text, at);
  }
  return at;
}

bool begins_block(const std::string& line) {
  const bool is_drawn = line.starts_with("    ");
  const bool is_item =
      line.starts_with("- ") || line.find(". ") == line.find_first_not_of("0123456789");
  return line.empty() || is_drawn || is_item;
}

void add_wrapped(std::string line, std::size_t columns, std::vector<std::string>& lines) {
  const std::size_t margin = std::min(line.find_first_not_of(' '), columns / 2);
  std::size_t size = size_that_fits(line, columns);
  while (size < line.size()) {
    const std::size_t blank = line.rfind(' ', size);
    const bool has_blank = blank != std::string::npos && blank > margin;
    lines.push_back(line.substr(0, has_blank ? blank : size));
    line = std::string(margin, ' ') + line.substr(has_blank ? blank + 1 : size);
    size = size_that_fits(line, columns);
  }
  lines.push_back(line);
}

// How a text is divided between the rows above the foot.
struct Cut {
  std::vector<std::string> text;
  std::vector<std::string> foot;
  std::size_t rows;  // for the text
  bool fits;

  Cut(const Page& page, Size size)
      : text(wrapped(page.text, size.columns)), foot(wrapped(page.foot, size.columns)) {
    const std::size_t above = std::max(size.rows, foot.size() + 2) - foot.size();
    fits = text.size() <= above;
    rows = fits ? above : above - 1;
  }
};

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  for (const std::string& line : split_lines(text))
    add_wrapped(replace_all(line, "\t", kTab), std::max<std::size_t>(columns, 8), lines);
  return lines;
}

std::string with_whole_paragraphs(const std::string& markdown) {
  std::vector<std::string> lines;
  for (const std::string& line : split_lines(markdown)) {
    const bool is_apart = lines.empty() || lines.back().empty() || lines.back().starts_with("    ");
    if (is_apart || begins_block(line)) {
      lines.push_back(line);
    } else {
      lines.back() += " " + line.substr(std::min(line.find_first_not_of(' '), line.size()));
    }
  }
  return join(lines, "\n") + "\n";
}

std::vector<std::string> Page::lines(Size size) const {
  const Cut cut(*this, size);
  const std::size_t begin = cut.fits ? 0 : std::min(first, cut.text.size() - 1);
  const std::size_t end = std::min(begin + cut.rows, cut.text.size());
  std::vector<std::string> lines(cut.text.begin() + static_cast<std::ptrdiff_t>(begin),
                                 cut.text.begin() + static_cast<std::ptrdiff_t>(end));
  lines.resize(cut.rows);
  const std::size_t num_below = cut.text.size() - end;
  if (!cut.fits)
    lines.push_back(num_below > 0 ? "-- " + std::to_string(num_below) + " more lines: space --"
                                  : "-- from the top: space --");
  lines.insert(lines.end(), cut.foot.begin(), cut.foot.end());
  lines.resize(std::min(lines.size(), size.rows));
  return lines;
}

void Page::turn(Size size) {
  const Cut cut(*this, size);
  first = cut.fits || first + cut.rows >= cut.text.size() ? 0 : first + cut.rows;
}

}  // namespace kv::grader::watch

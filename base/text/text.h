#pragma once
// Helpers for text and files.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kv::grader {

namespace fs = std::filesystem;

// Throws UsageError when it cannot be read, MachineFailed when no file can be opened.
std::string read_file(const fs::path& path);

// Writes a temporary file and renames it, so that no reader sees half of the content. A file that
// it replaces keeps its mode. Does not touch one that already has this content: the build compares
// dates.
void write_file(const fs::path& path, std::string_view content);  // throws MachineFailed

std::vector<std::string> split_lines(std::string_view text);
// What is before the first separator, and what is after it.
std::pair<std::string, std::string> divided(const std::string& text, std::string_view separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string replace_all(std::string text, std::string_view from, std::string_view to);

// The lines between two blank ones; those that begin with # are comments, and left out.
struct Paragraph {
  std::size_t line;  // the number of the first one, from 1
  std::vector<std::string> lines;
};
std::vector<Paragraph> paragraphs_in(std::string_view text);

std::string plural(std::size_t count, const std::string& noun);  // "1 test", "2 tests"

// All that the program writes and did not make itself goes through this: what a student's code
// printed, a compiler's lines, paths. Valid UTF-8 whatever came in (a byte that is no character
// becomes U+FFFD), without the control characters that a terminal obeys and XML forbids, cut
// between two characters when it is longer than `max_bytes`.
std::string printable(std::string_view text, std::size_t max_bytes = std::string::npos);

// The lines that are not empty, with "; " between them.
std::string one_line(std::string_view text);

// The text as one word of a command that is pasted into a shell: in quotes where it needs them. Why
// single quotes: a shell carries out $(...) in double ones.
std::string shell_word(const std::string& text);

// Each line with `margin` in front, printable.
std::string indent(std::string_view text, std::string_view margin);

}  // namespace kv::grader

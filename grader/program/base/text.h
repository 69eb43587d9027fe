#pragma once
// Helpers for text and files.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kv::grader {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path);  // throws UsageError when it cannot be read

// Writes a temporary file and renames it, so that no reader sees half of the content. Does not
// touch a file that already has this content: the build compares dates.
void write_file(const fs::path& path, std::string_view content);  // throws UsageError

std::vector<std::string> split_lines(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string replace_all(std::string text, std::string_view from, std::string_view to);

// Without control characters other than new lines, and cut at `max_bytes`.
std::string printable(std::string_view text, std::size_t max_bytes);

// Each line with `margin` in front.
std::string indent(std::string_view text, std::string_view margin);

}  // namespace kv::grader

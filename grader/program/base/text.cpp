#include "grader/program/base/text.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

#include "grader/program/base/errors.h"

namespace kv::grader {

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  if (!in || !(content << in.rdbuf() || in.peek() == EOF)) {
    throw UsageError("cannot read " + path.string() + ": is it a readable file?");
  }
  return content.str();
}

void write_file(const fs::path& path, std::string_view content) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
    std::ofstream special(path);  // /dev/stdout and the like cannot be renamed onto
    special << content;
    special.close();
    if (special) return;
    throw UsageError("cannot write " + path.string() + ": is the disk full?");
  }
  if (fs::exists(path, error) && read_file(path) == content) return;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  const fs::path unfinished = path.string() + ".part" + std::to_string(::getpid());
  std::ofstream out(unfinished, std::ios::binary);
  out << content;
  out.close();
  if (out) fs::rename(unfinished, path, error);
  if (out && !error) return;
  fs::remove(unfinished, error);
  throw UsageError("cannot write " + path.string() +
                   ": is the disk full, or the folder read-only?");
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) text += separator;
    text += part;
  }
  return text;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  std::size_t at = 0;
  while ((at = text.find(from, at)) != std::string::npos) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string clean;
  for (const char c : text.substr(0, max_bytes)) {
    if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= ' ') clean += c;
  }
  if (text.size() > max_bytes) clean += "\n... (cut)";
  return clean;
}

std::string indent(std::string_view text, std::string_view margin) {
  std::string out;
  for (const std::string& line : split_lines(text)) {
    out += line.empty() ? "\n" : std::string(margin) + line + "\n";
  }
  return out;
}

}  // namespace kv::grader

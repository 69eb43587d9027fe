#include "base/text/text.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/text/errors.h"
#include "base/text/machine.h"

namespace kv::grader {
namespace {

// The bytes of the character at the front; 0 when they are no character of UTF-8, or one of the two
// that XML forbids.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool is_overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool is_surrogate = first == 0xED && byte(1) >= 0xA0;
  const bool is_too_large = first == 0xF4 && byte(1) >= 0x90;
  const bool is_forbidden = text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF");
  return is_overlong || is_surrogate || is_too_large || is_forbidden ? 0 : size;
}

[[noreturn]] void refuse_to_write(const fs::path& path, int reason) {
  const std::string what = "cannot write " + path.string() + ": ";
  const auto refusal = machine_refusal(std::strerror(reason));
  throw MachineFailed(what + refusal.value_or("is the disk full, or the folder read-only?"));
}

bool is_control(std::string_view character) {
  const auto byte = static_cast<unsigned char>(character.back());
  if (character.size() == 1) return (byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7F;
  return character.size() == 2 && character.front() == '\xC2' && byte < 0xA0;
}

}  // namespace

std::string read_file(const fs::path& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  if (!in || !(content << in.rdbuf() || in.peek() == EOF)) {
    const std::string what = "cannot read " + path.string() + ": ";
    if (const auto refusal = machine_refusal(std::strerror(errno))) {
      throw MachineFailed(what + *refusal);
    }
    throw UsageError(what + "is it a readable file?");
  }
  return content.str();
}

void write_file(const fs::path& path, std::string_view content) {
  std::error_code error;
  const bool is_special = fs::exists(path, error) && !fs::is_regular_file(path, error);
  if (!is_special && fs::exists(path, error) && read_file(path) == content) return;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  // /dev/stdout and the like cannot be renamed onto.
  const fs::path written =
      is_special ? path : fs::path(path.string() + ".part" + std::to_string(::getpid()));
  errno = 0;
  std::ofstream out(written, std::ios::binary);
  out << content;
  out.close();
  const int reason = errno;
  if (out && is_special) return;
  if (fs::exists(path, error)) fs::permissions(written, fs::status(path).permissions(), error);
  if (out) fs::rename(written, path, error);
  if (out && !error) return;
  if (!is_special) fs::remove(written, error);
  refuse_to_write(path, reason);
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

std::pair<std::string, std::string> divided(const std::string& text, std::string_view separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  return {text.substr(0, end), text.substr(std::min(end + separator.size(), text.size()))};
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) text += separator;
    text += part;
  }
  return text;
}

std::vector<Paragraph> paragraphs_in(std::string_view text) {
  std::vector<Paragraph> paragraphs;
  bool is_between = true;
  std::size_t number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    if (line.starts_with('#')) continue;
    if (!line.empty() && is_between) paragraphs.push_back({number, {}});
    if (!line.empty()) paragraphs.back().lines.push_back(line);
    is_between = line.empty();
  }
  return paragraphs;
}

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  // Why not in place: each replacement would move the rest, of a log of 20 MB.
  std::string replaced;
  std::size_t begin = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
    replaced.append(text, begin, at - begin).append(to);
    begin = at + from.size();
  }
  return begin == 0 ? text : replaced.append(text, begin);
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    std::string_view character = text.substr(0, std::max<std::size_t>(size, 1));
    text.remove_prefix(character.size());
    if (size == 0) character = "\uFFFD";
    if (is_control(character)) continue;
    if (clean.size() + character.size() > max_bytes) return clean + "\n... (cut)";
    clean += character;
  }
  return clean;
}

std::string one_line(std::string_view text) {
  std::vector<std::string> lines = split_lines(text);
  std::erase(lines, "");
  return join(lines, "; ");
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:@%+=,-";
  const bool is_plain = !text.empty() && text.find_first_not_of(kPlain) == std::string::npos;
  return is_plain ? text : "'" + replace_all(text, "'", "'\\''") + "'";
}

std::string indent(std::string_view text, std::string_view margin) {
  std::string out;
  for (const std::string& line : split_lines(printable(text))) {
    out += line.empty() ? "\n" : std::string(margin) + line + "\n";
  }
  return out;
}

}  // namespace kv::grader

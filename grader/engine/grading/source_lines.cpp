#include "grader/engine/grading/source_lines.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "base/process/process.h"

namespace kv::grader {
namespace {

std::string hex(std::uint64_t number) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

// place: "FILE:36" or "FILE:36 (discriminator 2)"
SourceLine source_line(const std::string& function, const std::string& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) return {};
  return {function, place.substr(0, colon), std::atoi(place.c_str() + colon + 1)};
}

}  // namespace

std::map<std::uint64_t, std::vector<SourceLine>> source_lines(
    const fs::path& program, const std::vector<std::uint64_t>& addresses) {
  std::map<std::uint64_t, std::vector<SourceLine>> lines;
  if (addresses.empty()) return lines;
  Command command{.argv = {"addr2line", "-a", "-f", "-C", "-i", "-e", program.string()}};
  for (const std::uint64_t address : addresses) command.argv.push_back(hex(address));
  std::vector<SourceLine>* current = nullptr;
  std::string function;
  // Why not from the output at the end: of that only the first 64 kB are kept.
  command.on_line = [&](const std::string& line) {
    if (line.starts_with("0x")) {
      current = &lines[std::strtoull(line.c_str(), nullptr, 16)];
      current->clear();
      function.clear();
    } else if (current != nullptr && function.empty()) {
      function = line;
    } else if (current != nullptr) {
      current->push_back(source_line(function, line));
      function.clear();
    }
  };
  run(command);
  return lines;
}

std::string text_of(const SourceLine& line) {
  const std::string name = short_name(line.function);
  if (line.file.empty()) return "in " + name;
  const std::string where = "line " + std::to_string(line.line) + " of " + line.file;
  // Why not the name of a lambda: it is operator().
  return name.empty() || name.starts_with("operator") ? "in " + where : "in " + name + ", " + where;
}

std::vector<std::string> split_at_colons(const std::string& place) {
  std::vector<std::string> parts;
  std::istringstream stream(place);
  for (std::string part; std::getline(stream, part, ':');) parts.push_back(part);
  return parts;
}

std::string short_name(std::string function) {
  function = replace_all(std::move(function), "(anonymous namespace)::", "");
  std::size_t depth = 0, first = 0, at = 0;
  for (; at < function.size(); ++at) {
    const char c = function[at];
    if (c == '<') ++depth;
    if (c == '>' && depth > 0) --depth;
    if (depth > 0) continue;
    if (c == '(' || c == '[') break;
    if (c == ':' || c == ' ') first = at + 1;
  }
  return function.substr(first, function.find('<', first) - first).substr(0, at - first);
}

}  // namespace kv::grader

#include "grader/program/maintainer/check/reporter.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "common/text.h"

namespace kv::grader {
namespace {

// The text after the first `start`, to the end of its line.
std::optional<std::string> rest_of_line(const std::string& text, const std::string& start) {
  const std::size_t at = text.find(start);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = at + start.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string decoded(const std::string& base64) {
  const auto value = [](char c) -> int {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : 63;
  };
  std::string bytes;
  unsigned bits = 0;
  int num_bits = 0;
  for (const char c : base64.substr(0, base64.find('='))) {
    bits = bits << 6 | static_cast<unsigned>(value(c));
    num_bits += 6;
    if (num_bits < 8) continue;
    num_bits -= 8;
    bytes += static_cast<char>(bits >> num_bits & 0xFF);
  }
  return bytes;
}

}  // namespace

std::vector<std::string> reported_runners(const std::string& workflow) {
  std::istringstream list(rest_of_line(workflow, "runners: ").value_or(""));
  std::vector<std::string> runners;
  for (std::string id; std::getline(list, id, ',');) runners.push_back(id);
  return runners;
}

Json reported_results(const std::string& workflow,
                      const std::string& outputs,
                      const std::string& id) {
  std::string name = id;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string expected = "${{ steps.pagedlab.outputs." + id + " }}";
  if (rest_of_line(workflow, " " + name + "_RESULTS: ") != expected) return nullptr;
  const std::optional<std::string> value = rest_of_line("\n" + outputs, "\n" + id + "=");
  // The value travels in one environment variable.
  constexpr std::size_t kMaxBytes = 128 * 1024;
  if (!value || value->size() + name.size() >= kMaxBytes) return nullptr;
  const Json results = Json::parse(decoded(*value), nullptr, false);
  return results.is_discarded() ? Json(nullptr) : results;
}

bool has_closed_fences(const std::string& markdown) {
  std::string open;
  for (const std::string& line : split_lines(markdown)) {
    const std::string row = line.substr(0, line.find_first_not_of('`'));
    if (open.empty() && row.size() >= 3) {
      open = row;
    } else if (!open.empty() && line.size() >= open.size() && row == line) {
      if (row != open) return false;
      open.clear();
    }
  }
  return open.empty();
}

}  // namespace kv::grader

#include "grader/program/kit/build_failure.h"

#include <algorithm>
#include <array>

#include "grader/program/base/errors.h"
#include "grader/program/base/machine.h"

namespace kv::grader {
namespace {

// "...: error: ...", from a compiler after the place, as in "x.cpp:12:3: fatal error: ..."; from an
// assembler with a capital letter.
bool is_diagnostic(const std::string& line) {
  const std::size_t error =
      std::min({line.find(": error: "), line.find(": fatal error: "), line.find(": Error: ")});
  if (error == std::string::npos) return false;
  const std::string place = line.substr(0, error);
  const std::size_t colon = place.find_last_not_of("0123456789");
  return colon != std::string::npos && place[colon] == ':' && colon + 1 < place.size();
}

bool is_about_symbols(const std::string& line) {
  constexpr std::array kPhrases = {"undefined reference", "multiple definition", "undefined symbol",
                                   "duplicate symbol",    "Undefined symbols",   "isn't defined",
                                   "relocation truncated"};
  return std::ranges::any_of(
      kPhrases, [&](const char* phrase) { return line.find(phrase) != std::string::npos; });
}

// The last lines: what failed is at the end.
std::string tail(const std::string& output) {
  constexpr std::size_t kNumLines = 6;
  std::vector<std::string> lines = split_lines(output);
  if (lines.size() > kNumLines) lines.erase(lines.begin(), lines.end() - kNumLines);
  return join(lines, "\n");
}

}  // namespace

void refuse_machine_failure(const Outcome& build) {
  if (build.ok()) return;
  if (const auto refusal = machine_refusal(build.output)) throw MachineFailed(*refusal);
  if (has_error(build.output)) return;
  throw MachineFailed("the build ended without an error in a source, " +
                      (build.signal == 0 ? "exit code " + std::to_string(build.exit_code)
                                         : "by signal " + std::to_string(build.signal)) +
                      "; remove build/lab and run the command again. Its last lines:\n" +
                      indent(tail(build.output), "  "));
}

bool has_error_in(const std::string& output, const fs::path& folder) {
  return std::ranges::any_of(split_lines(output), [&](const std::string& line) {
    return is_diagnostic(line) && line.starts_with(folder.string() + "/");
  });
}

bool has_error(const std::string& output) {
  return std::ranges::any_of(split_lines(output), [](const std::string& line) {
    return is_diagnostic(line) || is_about_symbols(line);
  });
}

}  // namespace kv::grader

#include "base/builds/build_failure.h"

#include <algorithm>
#include <array>

#include "base/builds/diagnostics.h"
#include "base/text/errors.h"
#include "base/text/machine.h"

namespace kv::grader {
namespace {

bool is_error(const Diagnostic& diagnostic) {
  return diagnostic.kind == Diagnostic::Kind::kError;
}

// The last lines: what failed is at the end.
std::string tail(const std::string& output) {
  constexpr std::size_t kNumLines = 6;
  std::vector<std::string> lines = split_lines(output);
  if (lines.size() > kNumLines) lines.erase(lines.begin(), lines.end() - kNumLines);
  return join(lines, "\n");
}

}  // namespace

bool is_about_symbols(const std::string& line) {
  constexpr std::array kPhrases = {"undefined reference", "multiple definition", "undefined symbol",
                                   "duplicate symbol",    "Undefined symbols",   "isn't defined",
                                   "relocation truncated"};
  return std::ranges::any_of(
      kPhrases, [&](const char* phrase) { return line.find(phrase) != std::string::npos; });
}

void refuse_machine_failure(const Outcome& build) {
  if (build.ok()) return;
  if (const auto refusal = machine_refusal(build.output)) {
    if (is_compiler_exhausted(build.output)) throw CompilerExhausted(*refusal);
    throw MachineFailed(*refusal);
  }
  if (has_error(build.output)) return;
  throw MachineFailed("the build ended without an error in a source, " +
                      (build.signal == 0 ? "exit code " + std::to_string(build.exit_code)
                                         : "by signal " + std::to_string(build.signal)) +
                      "; remove build/lab and run the command again. Its last lines:\n" +
                      indent(tail(build.output), "  "));
}

bool has_error_in(const std::string& output, const fs::path& folder) {
  return std::ranges::any_of(diagnostics_in(output), [&](const Diagnostic& diagnostic) {
    return is_error(diagnostic) && diagnostic.file.starts_with(folder.string() + "/");
  });
}

bool has_error(const std::string& output) {
  return std::ranges::any_of(diagnostics_in(output), is_error) ||
         std::ranges::any_of(split_lines(output), is_about_symbols);
}

}  // namespace kv::grader

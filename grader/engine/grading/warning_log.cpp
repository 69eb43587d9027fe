#include "grader/engine/grading/warning_log.h"

#include <algorithm>
#include <array>
#include <functional>

#include "base/builds/diagnostics.h"

namespace kv::grader {
namespace {

// The reason of a crash or of a wrong value comes first, and what is only untidy last.
std::size_t rank(const Diagnostic& warning) {
  constexpr std::array<std::string_view, 10> kTelling = {
      "-Wreturn-type",  "-Winfinite-recursion", "uninitialized", "-Wdangling",
      "-Wreturn-local", "-Wreturn-stack",       "-Wparentheses", "-Wtautological",
      "-Wsign-compare", "-Wunused-value"};
  const auto found = std::ranges::find_if(kTelling, [&](std::string_view name) {
    return warning.text.find(name) != std::string::npos;
  });
  return static_cast<std::size_t>(found - kTelling.begin());
}

// The line that the log and a report have.
std::string line_of(const Diagnostic& warning) {
  return warning.place + ": warning: " + warning.text;
}

}  // namespace

WarningLog::WarningLog(const fs::path& build_folder, const fs::path& stage, const LabSpec& lab)
    : logs_(build_folder / "warnings" / lab.folder), stage_(stage / lab.folder), lab_(lab) {}

// Identifies the text of a file.
std::string WarningLog::key(const std::string& file) const {
  return std::to_string(std::hash<std::string>()(read_file(stage_ / file)));
}

bool WarningLog::is_known(const std::string& file) const {
  return fs::exists(log(file)) && split_lines(read_file(log(file))).front() == key(file);
}

void WarningLog::prepare() const {
  for (const std::string& file : lab_.files) {
    if (!is_known(file)) fs::last_write_time(stage_ / file, fs::file_time_type::clock::now());
  }
}

void WarningLog::take(const std::string& output) const {
  const std::vector<Diagnostic> all = diagnostics_in(output);
  for (const std::string& file : lab_.files) {
    const std::string object = "/" + lab_.folder + "/" + file + ".o";
    if (output.find(object) == std::string::npos) continue;
    std::string kept = key(file) + "\n";
    for (const Diagnostic& each : all) {
      if (each.kind == Diagnostic::Kind::kWarning && each.file == (stage_ / file).string()) {
        kept += line_of(each) + "\n";
      }
    }
    write_file(log(file), kept);
  }
}

std::vector<std::string> WarningLog::read() const {
  std::vector<Diagnostic> warnings;
  for (const std::string& file : lab_.files) {
    if (!is_known(file)) continue;
    for (Diagnostic& warning : diagnostics_in(read_file(log(file)))) {
      warnings.push_back(std::move(warning));
    }
  }
  std::ranges::stable_sort(warnings, {}, rank);
  std::vector<std::string> lines;
  for (const Diagnostic& each : warnings) lines.push_back(line_of(each));
  return lines;
}

}  // namespace kv::grader

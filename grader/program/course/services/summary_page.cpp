#include <algorithm>

#include "grader/program/course/services/service_files.h"

namespace kv::grader::services {
namespace {

// GitHub takes a summary of 1 MiB.
constexpr std::size_t kMaxTextBytes = 20'000;

// A block that the text cannot end: its fence is longer than any row of backticks in the text.
std::string fenced(const std::string& text) {
  std::size_t longest = 2;
  std::size_t row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(longest + 1, '`');
  const std::string shown = printable(text, kMaxTextBytes);
  return fence + "text\n" + shown + (shown.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string table_of(const ScoredLab& lab) {
  std::string lines = "\n#### Lab " + lab.id + " " + lab.title + ": " + lab.state + "\n\n" +
                      "| step | points |\n|---|---|\n";
  for (const ScoredPart& part : lab.parts) {
    lines += "| " + part.heading + " | " + std::to_string(part.points()) + "/" +
             std::to_string(part.max_points()) + " |\n";
  }
  return lines;
}

// Core before extra; a test that met a stub says nothing new.
std::string first_failure(const ScoredLab& lab) {
  for (const bool is_core : {true, false}) {
    for (const ScoredTest& test : lab.tests(is_core)) {
      if (test.passed() || test.output.empty() || test.status == "not_started") continue;
      return test.output;
    }
  }
  return "";
}

}  // namespace

std::string markdown(const Scored& scored) {
  std::string page = "### PagedLab: " + scored.headline() + "\n";
  std::string said = scored.problem.empty() ? "" : scored.problem + "\n";
  for (const auto& notes : {scored.notes, scored.graded}) {
    for (const std::string& note : notes) said += note + "\n";
  }
  if (!said.empty()) page += "\n" + fenced(said);
  for (const ScoredLab& lab : scored.labs) {
    page += table_of(lab);
    const std::string failure = lab.message.empty() ? first_failure(lab) : lab.message;
    if (!failure.empty()) page += "\n" + fenced(failure);
  }
  return page;
}

}  // namespace kv::grader::services

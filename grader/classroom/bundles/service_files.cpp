#include "grader/classroom/bundles/service_files.h"

#include <algorithm>
#include <cstdlib>

#include "base/text/errors.h"
#include "grader/engine/grading/provenance.h"

namespace kv::grader::services {
namespace {

Json gradescope_test(const ScoredPart& part, const std::string& extra_visibility) {
  return {{"name", part.heading},
          {"name_format", "text"},
          {"number", part.number},
          {"score", part.points()},
          {"max_score", part.max_points()},
          {"status", part.passed() ? "passed" : "failed"},
          {"output", printable(part.text())},
          {"output_format", "text"},
          {"tags", {part.is_core ? "core" : "extra"}},
          {"visibility", part.is_core ? "visible" : extra_visibility}};
}

}  // namespace

Json gradescope_results(const Scored& scored, const std::string& extra_visibility) {
  Json results = {{"score", scored.points(true) + scored.points(false)},
                  {"execution_time", scored.seconds},
                  {"output", printable(scored.text())},
                  {"output_format", "text"},
                  {"test_output_format", "text"},
                  {"test_name_format", "text"},
                  {"visibility", "visible"},
                  // Why hidden: it has the flags, which are for the instructor.
                  {"stdout_visibility", "hidden"},
                  {"tests", Json::array()}};
  for (const ScoredLab& lab : scored.labs) {
    for (const ScoredPart& part : lab.parts)
      results["tests"].push_back(gradescope_test(part, extra_visibility));
  }
  return results;
}

namespace {

std::string variable(const char* name, const char* otherwise = nullptr) {
  for (const char* each : {name, otherwise}) {
    const char* value = each == nullptr ? nullptr : std::getenv(each);
    if (value != nullptr && *value != '\0') return value;
  }
  throw UsageError(std::string(name) +
                   " is not set; Classroom 50's runner sets it, elsewhere set it by hand");
}

Json classroom50_test(const ScoredPart& part) {
  Json test = {{"test-name", part.heading},
               {"passed", part.passed()},
               {"score", part.is_core ? part.points() : 0},
               {"max-score", part.is_core ? part.max_points() : 0},
               {"output", part.passed() ? "" : printable(part.text())}};
  if (!part.is_core) {
    test["extra-score"] = part.points();
    test["max-extra-score"] = part.max_points();
  }
  return test;
}

}  // namespace

Json classroom50_result(const Scored& scored) {
  Json result = {{"schema", "classroom50/result/v1"},
                 {"classroom", variable("CLASSROOM")},
                 {"assignment", variable("ASSIGNMENT")},
                 {"assignment_type", variable("ASSIGNMENT_TYPE")},
                 {"owner", variable("OWNER", "USERNAME")},
                 {"submission", variable("SUBMISSION_TAG")},
                 {"commit", variable("COMMIT_URL")},
                 {"release", variable("RELEASE_URL")},
                 {"review", variable("REVIEW_URL", "COMMIT_URL")},
                 // The runner writes the date of the graded commit over it.
                 {"datetime", now_in_utc()},
                 {"score", scored.points(true)},
                 {"max-score", scored.max_points(true)},
                 {"tests", Json::array()}};
  for (const ScoredLab& lab : scored.labs) {
    for (const ScoredPart& part : lab.parts) result["tests"].push_back(classroom50_test(part));
  }
  return result;
}

std::string classroom50_outputs(const Scored& scored) {
  const bool is_full = scored.points(true) == scored.max_points(true);
  return std::string("status=") + (is_full ? "success" : "failure") +
         "\nsummary=PagedLab: " + scored.headline() + "\n";
}

namespace {

// GitHub takes a summary of 1 MiB, into which the runner copies the text.
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

std::string classroom50_release(const Scored& scored) {
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

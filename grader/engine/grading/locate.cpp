#include "grader/engine/grading/locate.h"

#include <algorithm>
#include <optional>

#include "grader/engine/grading/source_lines.h"
#include "grader/harness/endless.h"

namespace kv::grader {
namespace {

bool has_place(const Verdict& verdict) {
  return verdict.status == Status::kFail || verdict.status == Status::kCrash ||
         verdict.status == Status::kTimeout;
}

// In a file of TESTs. Recorders and fixtures, which tests share, have other names.
const SourceLine* line_of_test(const std::vector<SourceLine>& lines) {
  const auto found = std::ranges::find_if(lines, [](const SourceLine& line) {
    return line.file.find("/labs/") != std::string::npos && line.file.ends_with("_test.cpp");
  });
  return found == lines.end() ? nullptr : &*found;
}

std::optional<SourceLine> line_of_student(const std::vector<SourceLine>& lines,
                                          const Submission& submission) {
  const auto is_students = [&](const SourceLine& line) {
    return line.file.starts_with(submission.stage.string() + "/");
  };
  const auto found = std::ranges::find_if(lines, is_students);
  if (found != lines.end()) return *found;
  // Clang gives the call of a check in the library the line of that check.
  const auto is_in_library = [](const SourceLine& line) {
    return line.file.find("/include/c++/") != std::string::npos &&
           line.function.starts_with("kv::") && !line.function.starts_with("kv::grader::");
  };
  const auto only_named = std::ranges::find_if(lines, is_in_library);
  if (only_named == lines.end()) return std::nullopt;
  return SourceLine{only_named->function};
}

// The steps whose functions are in progress.
std::vector<std::string> steps_in(const std::vector<SourceLine>& lines,
                                  const Submission& submission,
                                  const LabSpec& lab) {
  std::vector<std::string> steps;
  for (const StepSpec& step : lab.steps) {
    const fs::path file = submission.stage / lab.folder / step.file;
    const bool is_in = std::ranges::any_of(lines, [&](const SourceLine& line) {
      return line.file == file && short_name(line.function) == short_name(step.name);
    });
    if (is_in) steps.push_back(step.number);
  }
  return steps;
}

// Below the first line of a headline may be what is likely.
void add_to_first_line(const std::string& text, std::string& headline) {
  headline.insert(std::min(headline.find('\n'), headline.size()), " " + text);
}

void locate(const std::vector<SourceLine>& lines,
            const Submission& submission,
            const std::string& advice,
            Verdict& verdict) {
  if (const SourceLine* test = line_of_test(lines)) {
    const std::string path = test->file.substr(test->file.rfind("/labs/") + 1);
    verdict.source = path + ":" + std::to_string(test->line);
  }
  if (verdict.status == Status::kFail) return;
  const bool is_known = verdict.crash_line == CrashLine::kIsTheMistake && !lines.empty();
  if (verdict.status == Status::kCrash && !is_known) verdict.advice = advice;
  if (verdict.crash_line == CrashLine::kSaysNothing) return;
  if (const auto student = line_of_student(lines, submission)) {
    verdict.place = submission.with_own_paths(text_of(*student));
    add_to_first_line(verdict.place, verdict.headline);
    verdict.own_source =
        submission.with_own_paths(student->file) + ":" + std::to_string(student->line);
  } else if (verdict.status == Status::kCrash && !lines.empty()) {
    verdict.headline += " in the test, which uses what your code has returned or linked";
  }
}

}  // namespace

void locate_failures(const fs::path& program, const Submission& submission, LabResult& result) {
  std::vector<std::uint64_t> addresses;
  for (const TestResult& test : result.tests) {
    if (!has_place(test.verdict)) continue;
    addresses.insert(addresses.end(), test.verdict.calls.begin(), test.verdict.calls.end());
  }
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  const auto lines_at = source_lines(program, addresses);
  const std::string advice =
      "which line? ./lab grade " + result.lab->id + submission.grade_option() + " --sanitize";
  for (TestResult& test : result.tests) {
    if (!has_place(test.verdict)) continue;
    std::vector<SourceLine> lines;
    for (const std::uint64_t address : test.verdict.calls) {
      const auto found = lines_at.find(address);
      if (found != lines_at.end()) std::ranges::copy(found->second, std::back_inserter(lines));
    }
    test.verdict.open_steps = steps_in(lines, submission, *result.lab);
    locate(lines, submission, advice, test.verdict);
  }
}

void explain_slow_calls(LabResult& result) {
  for (TestResult& test : result.tests) {
    Verdict& verdict = test.verdict;
    if (verdict.status != Status::kTimeout) continue;
    const auto cost_test = std::ranges::find_if(result.tests, [&](const TestResult& other) {
      const StepSpec* costly = result.costly_step(other);
      return costly != nullptr && std::ranges::count(verdict.open_steps, costly->number) > 0;
    });
    if (cost_test == result.tests.end()) continue;
    test.explained_by = cost_test->spec;
    verdict.headline = std::string(kTimeUsedUp) + " " + verdict.place + "\n   " +
                       cost_test->spec->name + " shows why: " + cost_test->verdict.headline;
  }
}

}  // namespace kv::grader

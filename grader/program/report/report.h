#pragma once
// What a grading run has found. The terminal, JSON and JUnit reports all show this.

#include <optional>
#include <string>
#include <vector>

#include "grader/program/grading/verdict.h"
#include "grader/program/submission/submission.h"

namespace kv::grader {

struct TestResult {
  const TestSpec* spec;
  Verdict verdict;
  double seconds = 0;
  std::string printed = {};  // what the student's code printed

  int points() const { return verdict.status == Status::kPass ? spec->max_points : 0; }
};

enum class LabState { kDone, kInProgress, kNotStarted, kDoesNotCompile, kNotSubmitted };
const char* state_name(LabState state);

struct LabResult {
  const LabSpec* lab;
  LabState state;
  std::vector<std::string> open_steps = {};  // KV_TODO lines left
  std::string message = {};  // why there is nothing to test: the first compiler error
  std::vector<TestResult> tests = {};
  std::string looks_like = {};          // the known mistake that breaks these tests and no others
  std::vector<std::string> flags = {};  // for the instructor's eye; they change no verdict
  std::vector<std::string> notes = {};  // what --together and --sanitize found; no points

  int points(bool core) const;
  std::optional<TestResult> first_failure() const;  // wrong before not started
};

struct Report {
  const Submission* submission;
  std::string score_sheet_digest;
  std::uint64_t seed;
  std::vector<LabResult> labs = {};

  int points(bool core) const;
  int max_points(bool core) const;
};

// Everything a person should read of one failing test.
std::string tell(const LabResult& lab, const TestResult& test);

struct ScreenOptions {
  bool all_failures = false;
};
void print_header(const Submission& submission);
void print_lab(const LabResult& lab, const Submission& submission, const ScreenOptions& options);
void print_total(const Report& report);

inline constexpr std::size_t kMaxReportedBytes = 8 * 1024;     // of one test's output, in a file
void write_json(const Report& report, const fs::path& path);   // throws UsageError
void write_junit(const Report& report, const fs::path& path);  // throws UsageError

}  // namespace kv::grader

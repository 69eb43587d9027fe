#pragma once
// Prints the results of a grading run: on the terminal, and as files.

#include <string>

#include "grader/program/grading/results.h"

namespace kv::grader {

// Everything that a person should read about one failing test.
std::string failure_text(const LabResult& lab, const TestResult& test);

// The last heading of each lab's README: what to compare when the lab is finished.
inline constexpr const char* kComparisonHeading = "Two diffs";

struct ScreenOptions {
  bool all_failures = false;
};
void print_header(const Submission& submission);
void print_lab(const LabResult& lab, const Submission& submission, const ScreenOptions& options);
void print_total(const Report& report);

inline constexpr std::size_t kMaxReportedBytes = 8 * 1024;     // of one test's output, in a file
void write_json(const Report& report, const fs::path& path);   // throws MachineFailed
void write_junit(const Report& report, const fs::path& path);  // throws MachineFailed

}  // namespace kv::grader

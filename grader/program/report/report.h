#pragma once
// Prints the results of a grading run: on the terminal, and as files.

#include <string>

#include "grader/program/grading/results.h"

namespace kv::grader {

// Everything that a person should read about one failing test.
std::string failure_text(const LabResult& lab, const TestResult& test);

// The last heading of each lab's README: what to compare when the lab is finished.
inline constexpr const char* kComparisonHeading = "Two diffs";

// The step to work on: the cause of the first failure, else the first whose tests do not all pass;
// nullptr if there is none. The lab has to be built.
const StepSpec* step_at_hand(const LabResult& lab);

// What to do now: what to write or to fix, or how to compare and which lab comes next.
std::string next_text(const LabResult& lab, const Submission& submission, const Manifest& manifest);

void print_header(const Submission& submission);
// The findings of a lab come behind its scores, which are on the screen while they are searched.
void print_scores(const LabResult& lab);
// all: every failing test, not only the first.
void print_findings(const LabResult& lab, bool all);
void print_next(const std::string& text);  // and nothing after it
void print_total(const Report& report);

inline constexpr std::size_t kMaxReportedBytes = 8 * 1024;     // of one test's output, in a file
void write_json(const Report& report, const fs::path& path);   // throws MachineFailed
void write_junit(const Report& report, const fs::path& path);  // throws MachineFailed

}  // namespace kv::grader

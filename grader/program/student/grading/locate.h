#pragma once
// The source lines in a report: of the check that failed, and of the code that crashed.

#include "grader/program/student/grading/results.h"

namespace kv::grader {

// program: in which the tests of the result ran. Writes to their verdicts; without addr2line a test
// keeps the line of its TEST, and a crash has none.
void locate_failures(const fs::path& program, const Submission& submission, LabResult& result);

}  // namespace kv::grader

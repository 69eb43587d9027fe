#pragma once
// What is found out about failures when the scores are known.

#include "grader/engine/grading/results.h"

namespace kv::grader {

// The source lines in a report: of the check that failed, and of the code that crashed.

// program: in which the tests of the result ran. Writes to their verdicts; without addr2line a test
// keeps the line of its TEST, and a crash has none.
void locate_failures(const fs::path& program, const Submission& submission, LabResult& result);

// A call that ends, but too late. Most tests only see that their time is used up; the cost test of
// the same function has counted what the call does.

// Says of each test that was stopped in a function whose cost grows which cost test shows that.
// The failures have to be located.
void explain_slow_calls(LabResult& result);

}  // namespace kv::grader

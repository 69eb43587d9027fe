#pragma once
// A call that ends, but too late. Most tests only see that their time is used up; the cost test of
// the same function has counted what the call does.

#include "grader/program/student/grading/results.h"

namespace kv::grader {

// Says of each test that was stopped in a function whose cost grows which cost test shows that.
// The failures have to be located (locate.h).
void explain_slow_calls(LabResult& result);

}  // namespace kv::grader

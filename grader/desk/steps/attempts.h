#pragma once
// A log of gradings that a student can hand in. It is off until somebody makes the file.

#include "base/kit/kit.h"
#include "grader/engine/grading/results.h"

namespace kv::grader::steps {

inline constexpr const char* kAttemptsFile = "attempts.csv";  // beside starter/

// A line "time,lab,digest,step,core,extra" for this grading of starter/, if the file is there:
// when, a digest of the lab's files, the step at hand and the points. Nothing of the code is in it.
void log_attempt(const Kit& kit, const Submission& submission, const LabResult& result);

}  // namespace kv::grader::steps

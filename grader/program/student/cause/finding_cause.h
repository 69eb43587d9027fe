#pragma once
// Which function makes a test of a CUDA lab fail. Kernels cannot be mixed: a launch takes the
// address of a whole kernel, and a call on the device cannot go through a slot. But a finding of
// the simulator names a line.

#include "common/text.h"
#include "grader/program/student/grading/results.h"

namespace kv::grader::cause {

// A test whose first finding is in the function of another step gets this step as its cause, if a
// test of that step fails with a finding in the same function. Why the second condition: an address
// that is wrong may come from the caller.
//
// student: a folder with the lab's files, as the result is for.
void add_causes_of_findings(const fs::path& student, LabResult& result);

}  // namespace kv::grader::cause

#pragma once
// Which function makes a test fail. A test is filed under the last step that it needs, so the fault
// may be in an earlier one. One step is one function: the test is run again with functions of the
// student and of the solution mixed.

#include "grader/engine/cause/mixed_program.h"

namespace kv::grader::cause {

struct SearchOptions {
  int cpu_seconds = 3;      // for all runs; result.cause_search says that they were not enough
  bool first_only = false;  // only the first failing test gets a cause
};

// Adds a cause to the failing tests of a lab. A unit (unit.h) is a suspect if the test fails with
// it alone in the solution. The cause is the smallest set of suspects, at most two, with which
// replaced by the solution's the test passes, and all tests that passed still pass, but for extra
// ones that come to a step which is not written. If there is none, nothing is added. The step of a
// test is tried first, then the steps before it. In a CUDA lab the findings say it.
//
// student: a folder with the lab's files, as the result is for. Builds the program of the search in
// the build folder `tree`.
void add_causes(const Kit& kit,
                BuildTree& tree,
                const fs::path& student,
                const RunOptions& options,
                const SearchOptions& how,
                LabResult& result);

// The same with a program that is built already, and the units that can be at fault.
void add_causes(const MixedProgram& program,
                const std::vector<Unit>& units,
                const RunOptions& options,
                const SearchOptions& how,
                LabResult& result);

// For a CUDA lab. Kernels cannot be mixed: a launch takes the address of a whole kernel, and a call
// on the device cannot go through a slot. But a finding of the simulator names a line. A test whose
// first finding is in the function of another step gets this step as its cause, if a test of that
// step fails with a finding in the same function. Why the second condition: an address that is
// wrong may come from the caller.
void add_causes_of_findings(const fs::path& student, LabResult& result);

}  // namespace kv::grader::cause

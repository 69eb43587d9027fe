#pragma once
// Parts of source files, as a page shows them.

#include "base/kit/json.h"
#include "grader/engine/grading/results.h"

namespace kv::grader::pages {

// The student's function of a step: {"file", "first", "lines", "mark"}; null if it is not found.
// Its mark is the line that crashed, if it is in it, else 0.
Json students_function(const Kit& kit,
                       const Submission& submission,
                       const LabSpec& lab,
                       const StepSpec& step,
                       const Verdict& verdict);

// The test, with the line of the check that failed as its mark; null if it is not found.
Json test_function(const Kit& kit, const Verdict& verdict);

// The files of a lab in CUDA, with what was found and counted at their lines.

// [{"file", "line", "kind", "where", "what", "means"}] of one test.
Json findings_of(const Submission& submission, const Verdict& verdict);

// A listing of each file at which anything was found or counted: as those above, with
// "findings" and "traffic" of all tests.
Json kernel_listings(const Submission& submission, const LabResult& lab);

}  // namespace kv::grader::pages

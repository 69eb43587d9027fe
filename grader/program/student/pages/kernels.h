#pragma once
// The files of a lab in CUDA, with what was found and counted at their lines.

#include "grader/program/base/kit/json.h"
#include "grader/program/student/grading/results.h"

namespace kv::grader::pages {

// [{"file", "line", "kind", "where", "what", "means"}] of one test.
Json findings_of(const Submission& submission, const Verdict& verdict);

// A listing of each file at which anything was found or counted: as those of listing.h, with
// "findings" and "traffic" of all tests.
Json kernel_listings(const Submission& submission, const LabResult& lab);

}  // namespace kv::grader::pages

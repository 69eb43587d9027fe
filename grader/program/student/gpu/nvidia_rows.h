#pragma once
// What NVIDIA's tools say about a lab in CUDA: rows of 0 points after its score.

#include <string>

#include "grader/program/base/build/build_tree.h"
#include "grader/program/student/grading/results.h"

namespace kv::grader {

// Where nvcc or a GPU is missing, a row says so. `tree` is the build of these results.
std::string nvidia_rows(const Kit& kit,
                        BuildTree& tree,
                        const Submission& submission,
                        const LabResult& result);

// The line of a run that did not ask for the rows.
std::string nvidia_hint(const LabSpec& lab);

}  // namespace kv::grader

#pragma once
// A student's files, built as a bench: with -O3 -march=native.

#include <string>
#include <vector>

#include "grader/program/base/build/build_tree.h"
#include "grader/program/student/submission/submission.h"

namespace kv::grader {

// The copy of the labs' files that is built. Throws UsageError when a file is missing.
Submission stage_for_bench(const Kit& kit,
                           const std::vector<const LabSpec*>& labs,
                           const std::string& tree,
                           const std::string& stage = "bench-stage");

// The build folder of all benches, set up. Throws UsageError without Google Benchmark.
BuildTree bench_tree(const Kit& kit, const Submission& submission);

// target: the objects of the submission's files, as "lab07_student". Throws UsageError, with the
// first error, when they do not compile or change a contract.
void build_student_files(const Kit& kit,
                         BuildTree& tree,
                         const Submission& submission,
                         const std::string& target);

// The program of a target, built.
fs::path build_bench(BuildTree& tree, const std::string& target);

}  // namespace kv::grader

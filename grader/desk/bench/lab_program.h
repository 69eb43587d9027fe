#pragma once
// A program of a lab with a student's files in it: built with -O3 -march=native as a bench, or run
// at the terminal, to which it prints itself.

#include <string>
#include <vector>

#include "base/builds/build_tree.h"
#include "grader/engine/submission/submission.h"

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

// Throws UsageError, with the step, when a core step of its labs is not written. command: as
// "./lab replay".
void refuse_stubs(const Submission& submission, const std::string& command);

// Whose code it is, for messages.
struct ForegroundRun {
  std::string what;  // "replay"
  std::string tree;
  std::string lab_id;
  bool is_of_kit = false;  // none of the student's code is in it, so its exit code is the command's
};

// Its exit code. Throws UsageError when the student's code crashes or ends the program.
int run_in_foreground(const fs::path& program,
                      const std::vector<std::string>& arguments,
                      const ForegroundRun& run);

}  // namespace kv::grader

#pragma once
// A program of a lab with a student's files in it, which prints to the terminal itself.

#include <string>
#include <vector>

#include "grader/program/student/submission/submission.h"

namespace kv::grader {

// Throws UsageError, with the step, when a core step of its labs is not written. command: as
// "./lab replay".
void refuse_stubs(const Submission& submission, const std::string& command);

// Whose code it is, for messages.
struct ForegroundRun {
  std::string what;  // "replay"
  std::string tree;
  std::string lab_id;
};

// Its exit code. Throws UsageError when the student's code crashes or ends the program.
int run_in_foreground(const fs::path& program,
                      const std::vector<std::string>& arguments,
                      const ForegroundRun& run);

}  // namespace kv::grader

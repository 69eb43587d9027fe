#pragma once
// The programs that run a student's whole stack: `./lab chat` and `./lab serve`.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

// lab07_chat or lab07_serve, built with the files of the lab in `tree` and of the labs it needs.
// Throws UsageError, with the step, when a core step is not written. Why the build's lock ends
// here: while a model speaks, other commands can build.
fs::path built_stack_program(const Kit& kit,
                             const LabSpec& lab,
                             const std::string& tree,
                             const std::string& program);  // "chat" or "serve"

}  // namespace kv::grader

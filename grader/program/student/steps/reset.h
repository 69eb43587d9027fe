#pragma once
// Takes one step back to its stub.

#include <string>

#include "grader/program/student/steps/standing.h"
#include "grader/program/student/steps/step_text.h"

namespace kv::grader::desk {

struct Reset {
  fs::path file;
  Place place;    // of the stub
  fs::path kept;  // a file with the function as it was

  std::string text(const Kit& kit, const StepSpec& step) const;  // what a student reads about it
};

// Replaces the function of the step, from its result type to its closing brace; every other byte
// of the file stays. What it replaces is written first, to a file of its own in the build folder.
// Throws UsageError, and changes nothing: the tree is the solution, the step has no stub, is not
// written, or its function cannot be told from the rest of the file.
Reset reset_step(const Kit& kit, const Tree& tree, const LabSpec& lab, const StepSpec& step);

}  // namespace kv::grader::desk

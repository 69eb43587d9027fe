#pragma once

#include "grader/program/student/steps/standing.h"

namespace kv::grader::watch {

// The step whose verdict a student waits for after a save: the one that has changed since the files
// were staged, the step at hand before others.
const StepSpec& first_step(const Kit& kit,
                           const steps::Progress& progress,
                           const steps::Tree& tree,
                           const LabSpec& lab);

}  // namespace kv::grader::watch

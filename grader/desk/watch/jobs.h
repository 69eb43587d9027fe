#pragma once
// What a Runner does for a student: each job prints pages (runner.h).

#include "grader/desk/steps/standing.h"

namespace kv::grader::watch {

// The step whose verdict a student waits for after a save: the one that has changed since the files
// were staged, the step at hand before others.
const StepSpec& first_step(const Kit& kit,
                           const steps::Progress& progress,
                           const steps::Tree& tree,
                           const LabSpec& lab);

// Grades a lab and records it as ./lab grade does. The first page is the verdict on `first`, the
// second has everything.
void grade_lab_in_pages(const Kit& kit,
                        const steps::Tree& tree,
                        const LabSpec& lab,
                        const StepSpec& first);

// Grades and records all labs: a page after each.
void grade_all_in_pages(const Kit& kit, const steps::Tree& tree);

// What ./lab diff prints of a lab that is done.
void show_diff(const Kit& kit, const steps::Tree& tree, const LabSpec& lab);

}  // namespace kv::grader::watch

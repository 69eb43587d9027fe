#pragma once
// The parts of groups of checks that are in files of their own.

#include "grader/program/maintainer/check/bug_trees.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/student/predict/predict_session.h"
#include "grader/program/student/variations/scratch_build.h"

namespace kv::grader {

// The cases of one lab (grader/cases/causes.json). Builds other trees than `known` at the end.
void check_causes(
    const Kit& kit, const LabSpec& lab, BugTrees& known, ScratchBuild& build, Checks& checks);

// The tables and the summary of a class whose rows are made by hand.
void check_class_tables(const Kit& kit, Checks& checks);

// What ./lab diff takes and refuses.
void check_diff_use(const Kit& kit, const KitCopy& copy, Checks& checks);

// `./lab doctor` on this and on another system, and the packages of the Dockerfile.
void check_doctor(const Kit& kit, Checks& checks);

// The script ./lab: what it says and does while programs are built.
void check_lab_script(const Kit& kit, Checks& checks);

// Circumstances of a machine that must not change a score, or lose it.
void check_machine(const Kit& kit, const KitCopy& copy, Checks& checks);

// The first error that a student reads, for the usual beginner's errors, with each compiler.
void check_compile_errors(const Kit& kit, Checks& checks);

// What is said of code that does not end, or ends late.
void check_loops(const Kit& kit, ScratchBuild& build, Checks& checks);

// The table of a report, and what comes next.
void check_report_table(const Kit& kit, Checks& checks);

// `./lab new-lab` makes a lab that passes the checks of form and can be graded.
void check_new_lab(const Kit& kit, const KitCopy& copy, Checks& checks);

// `./lab predict` as a student meets it: right and wrong answers to the questions of a lab.
void check_sessions(const LabSpec& lab,
                    const std::vector<PredictQuestion>& questions,
                    const PredictPrograms& programs,
                    Checks& checks);

// `./lab predict` as a command: wrong use, exit codes, and which lines count as equal.
void check_predict_use(const KitCopy& copy, Checks& checks);

// `./lab reset`: every step of every lab, and files in which it must change nothing.
void check_resets(const Kit& kit, Checks& checks);

// The rules for the services' files notice what breaks them.
void check_service_rules(Checks& checks);

// ./lab bundle and ./lab results, used in wrong ways: one sentence, exit code 2.
void check_service_use(const Kit& kit, Checks& checks);

}  // namespace kv::grader

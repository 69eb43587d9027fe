#pragma once
// A look at full points by another way: the program of the predict questions, which has no test
// framework and no channel to the grader in it, runs calls that differ for each seed. What
// it prints is compared, outside of it, with what it prints on the solution.

#include <string>

#include "grader/program/student/grading/grade_lab.h"

namespace kv::grader {

// The first script on which the two differ, as a flag; empty: they agree on all.
// tree: configured, with the student's files of this lab.
std::string second_opinion(const Kit& kit, BuildTree& tree, const LabSpec& lab, std::uint64_t seed);

}  // namespace kv::grader

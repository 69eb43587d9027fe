#pragma once
// The tables of a class, as CSV. No cell has a line break.

#include <string>

#include "grader/program/course/classroom/class_state.h"

namespace kv::grader::classroom {

// A row for each submission, with the columns of the labs that were graded. With people: the id,
// name and group of each row's owner, and a line for each one who has handed in nothing.
std::string scores_csv(const ClassState& state);

// For Canvas's import of grades: a column with the core points and one with the extra points. Who
// has handed in nothing has 0. A submission that waits, or could not be graded, leaves the grade
// empty: a 0 would be a wrong grade.
std::string canvas_csv(const ClassState& state);

}  // namespace kv::grader::classroom

#pragma once
// What is sent to a student: a text, a page, a table for a mail program, an archive for Moodle.
// None of it has a flag, or a word about anybody else.

#include "grader/classroom/class/class_state.h"
#include "grader/classroom/class/grade.h"

namespace kv::grader::classroom {

// The points of each lab, and what to look at first in it.
std::string feedback_text(const ClassState& state, const Grade& grade);

// Writes into the folder of the results: to-students.csv, and with Moodle's worksheet as the roster
// moodle-feedback.zip, which Moodle takes as feedback files of several students.
void write_feedback(const fs::path& folder, const ClassState& state);

}  // namespace kv::grader::classroom

#pragma once
// The commands that a student's program has: grade, and what is asked between two gradings.

#include "grader/program/student/report/grade_command.h"

namespace kv::grader {

class CommandLine;

// write_page: for --html; none in a program that is built without pages.
void add_student_commands(CommandLine& line, const PageWriter& write_page = {});

}  // namespace kv::grader

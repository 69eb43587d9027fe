#pragma once
// The programs of ./lab, each for one kind of user: carries out the command line, and returns the
// exit code.

#include "base/commands/commands.h"

namespace kv::grader {

int run_student_program(int argc, char** argv);
int run_watch_program(int argc, char** argv);  // has the student's commands, too
int run_bench_program(int argc, char** argv);
int run_simt_program(int argc, char** argv);
int run_course_program(int argc, char** argv);  // grades, too: for each submission of a class
int run_kit_program(int argc, char** argv);     // has every command

// The commands of a program, for those that have more.
void add_student_commands(CommandLine& line, const PageWriter& write_page);
void add_watch_commands(CommandLine& line);
void add_course_commands(CommandLine& line);

}  // namespace kv::grader

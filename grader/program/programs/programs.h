#pragma once
// The programs of ./lab, each for one kind of user: carries out the command line, and returns the
// exit code. Why a header of its own: CLI11 takes longer to compile than a main, which needs none.

namespace kv::grader {

int run_student_program(int argc, char** argv);
int run_watch_program(int argc, char** argv);   // has the student's commands, too
int run_course_program(int argc, char** argv);  // grades, too: for each submission of a class
int run_simt_program(int argc, char** argv);
int run_bench_program(int argc, char** argv);

}  // namespace kv::grader

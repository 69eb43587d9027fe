// The program of what is open beside an editor, and of what draws pages.

#include "grader/program/programs/programs.h"

int main(int argc, char** argv) {
  return kv::grader::run_watch_program(argc, argv);
}

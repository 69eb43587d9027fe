// The program of `./lab bench`. Why one of its own: the first `./lab grade` does not need it, and
// `./lab bench` does not need the checks.

#include "grader/program/bench/bench_command.h"

int main(int argc, char** argv) {
  kv::grader::CommandLine line;
  kv::grader::add_bench_command(line);
  return line.run(argc, argv);
}

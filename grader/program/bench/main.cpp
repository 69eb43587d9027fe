// The program of `./lab bench` and `./lab replay`. Why one of its own: the first `./lab grade` does
// not need it, and these do not need the checks.

#include "grader/program/bench/bench_command.h"
#include "grader/program/bench/replay_command.h"

int main(int argc, char** argv) {
  kv::grader::CommandLine line;
  kv::grader::add_bench_command(line);
  kv::grader::add_replay_command(line);
  return line.run(argc, argv);
}

// The program that measures speed.

#include "grader/program/bench/bench_command.h"
#include "grader/program/bench/replay_command.h"

int main(int argc, char** argv) {
  using namespace kv::grader;
  CommandLine line;
  add_bench_command(line);
  add_replay_command(line);
  return line.run(argc, argv);
}

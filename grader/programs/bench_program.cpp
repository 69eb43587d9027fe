// The program of bench, replay, generate, chat, serve, model and vllm.

#include "base/commands/command_line.h"
#include "grader/programs/programs.h"

namespace kv::grader {

int run_bench_program(int argc, char** argv) {
  CommandLine line;
  add_bench_command(line);
  add_replay_command(line);
  add_generate_command(line);
  add_chat_command(line);
  add_serve_command(line);
  add_model_command(line);
  add_vllm_command(line);
  return line.run(argc, argv);
}

}  // namespace kv::grader

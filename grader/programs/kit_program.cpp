// The program for work on the kit. It has every command, because its checks run them all.

#include "base/commands/command_line.h"
#include "grader/desk/pages/grading_page.h"
#include "grader/programs/programs.h"
#include "simt/cli/simt.h"

namespace kv::grader {

int run_kit_program(int argc, char** argv) {
  CommandLine line;
  add_student_commands(line, pages::write_page);
  add_watch_commands(line);
  add_bench_command(line);
  add_replay_command(line);
  add_generate_command(line);
  add_chat_command(line);
  add_serve_command(line);
  add_model_command(line);
  add_vllm_command(line);
  add_simt_command(line);
  add_course_commands(line);
  add_test_command(line);
  add_mutate_command(line);
  add_new_lab_command(line);
  add_signatures_command(line);
  add_completion_command(line);
  add_viva_command(line);
  return line.run(readable_simt_options({argv, argv + argc}));
}

}  // namespace kv::grader

#pragma once
// `./lab replay`: a trace of requests through the KV cache manager of a tree.

#include <string>
#include <vector>

#include "grader/program/base/commands/command_line.h"

namespace kv::grader {

struct ReplayOptions {
  std::string tree = "starter";
  std::vector<std::string> program_options = {};  // for lab 04's replay program, TRACE included
};

int replay_command(const Kit& kit, const ReplayOptions& options);

void add_replay_command(CommandLine& line);

}  // namespace kv::grader

#pragma once
// `./lab bundle` and `./lab results` on the command line.

#include "grader/program/base/commands/command_line.h"

namespace kv::grader {

void add_service_commands(CommandLine& line);

}  // namespace kv::grader

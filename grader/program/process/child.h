#pragma once
// The first moments of a child process: its pipes, its limits, its own session.

#include <sys/types.h>

#include <string>

#include "grader/program/process/process.h"

namespace kv::grader {

struct Child {
  pid_t pid;
  int output_fd;   // reads its standard output and error
  int channel_fd;  // reads its channel; -1 when it has none
};

Child spawn(const Command& command, const std::string& nonce);  // throws UsageError

}  // namespace kv::grader

#pragma once
// Starts a child process with its pipes, its limits and a session of its own.

#include <sys/types.h>

#include <string>

#include "grader/program/base/process/process.h"

namespace kv::grader {

struct Child {
  pid_t pid;
  int output_fd;   // reads its standard output and error
  int channel_fd;  // reads its channel; -1 if it has none
};

Child spawn(const Command& command, const std::string& nonce);  // throws MachineFailed

// Other programs of the same user can no longer read this one's memory, nor attach to it.
void hide_memory();

// In a new process: closes what the caller of ./lab has left open.
void close_all_from(int first_fd, int kept_fd = -1);

}  // namespace kv::grader

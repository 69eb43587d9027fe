#pragma once
// Runs another program until it ends, whatever it does.

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/process/kernel_calls.h"
#include "base/process/landlock.h"

namespace kv::grader {

// What a test process may use. CPU time is the limit that counts; the wall clock stops a process
// that sleeps.
struct Limits {
  double cpu_seconds = 1;                        // the kernel counts whole seconds, rounded up
  bool is_exact = false;                         // parts of a second count, too: by SIGPROF
  std::optional<std::size_t> memory_bytes = {};  // the largest address space; none: no limit
  std::size_t file_bytes = 1 << 20;              // the largest size of a file

  double wall_seconds() const { return 3 * cpu_seconds + 2; }
};

struct Command {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment = {};   // added to the caller's
  std::string input = "/dev/null";                       // a file, which it reads as its input
  std::optional<Limits> limits = {};                     // none for a trusted program
  std::optional<FileAccess> access = {};                 // none: to all files of the user
  std::optional<KernelCalls> calls = {};                 // none: all
  std::optional<double> wall_seconds = {};               // until a trusted program is stopped
  bool has_channel = false;                              // open KV_CHANNEL, see harness/channel.h
  std::function<void(const std::string&)> on_line = {};  // each line of output, as it comes
};

struct Outcome {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  bool timed_out = false;
  double seconds = 0;       // CPU time, user and system
  std::string output = {};  // standard output and error: 64 kB, 4 MB without limits
  std::string channel = {};
  std::string nonce = {};

  bool ok() const { return exit_code == 0; }
};

// The program runs in a session of its own. When it ends, all processes that are
// left in that session are killed.
Outcome run(const Command& command);

// What separates a program with limits and access from the rest of this machine.
std::vector<std::string> isolation_of_tests();

bool is_installed(const std::string& program);

// packages: of Debian, that have it. Throws UsageError if it is not installed.
void require_installed(const std::string& program, const std::string& packages);

// What a variable CXX says: one path, which may have blanks, or a compiler and its options.
std::vector<std::string> compiler_words(const std::string& text);

std::string fresh_nonce();  // 32 random hexadecimal digits

// Starts a child process with its pipes, its limits and a session of its own.

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

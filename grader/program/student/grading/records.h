#pragma once
// What a test process has sent over its channel (harness/channel.h).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/program/student/grading/kernel_lines.h"
#include "grader/program/student/grading/story.h"

namespace kv::grader {

// Where the process was when a check failed or a signal came.
struct CallStack {
  std::vector<std::uint64_t> addresses;  // in the program's file, the innermost call first
  bool is_endless = false;               // more calls than a right answer has in progress
};

// The access that brought SIGSEGV or SIGBUS.
struct Fault {
  std::string access;                         // record_kind::kRead, kWrite or kAccess
  std::optional<std::uint64_t> address = {};  // if the system says it

  bool is_null() const;
};

struct Records {
  std::vector<std::string> started;
  std::string first_todo;
  std::string wrong;
  std::string time_is_up;        // why, if the process has sent it
  bool is_endless = false;       // no time would have been enough
  std::uint64_t num_steps = 0;   // basic blocks that the test ran; 0 if they are not counted
  std::uint64_t most_steps = 0;  // that a test of this lab runs on the solution
  Story story;
  std::string history;  // for KV_HISTORY
  CallStack call_stack;
  std::optional<Fault> fault;
  std::string source;  // FILE:LINE of the test, or of the check that failed
  std::string spec;
  std::string heading;
  std::vector<std::string> quotes;
  KernelLines kernel_lines;
  bool passed = false;
  bool ended = false;
  bool done = false;
  int num_forged = 0;
};

// Bytes that do not begin with the nonce are skipped up to the next line and counted as forged.
Records parse_records(std::string_view text, const std::string& nonce);

}  // namespace kv::grader

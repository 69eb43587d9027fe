#pragma once
// What the process of a test has sent: its story, what was found at the lines of kernels, and how
// it ended.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/harness/story.h"

namespace kv::grader {

// What the simulator has found and counted at the lines of a student's kernels.
struct KernelFinding {
  std::string file;
  int line = 0;
  std::string kind;        // "out-of-bounds"
  std::string where = {};  // "block (3,0,0) of vector_add"
  std::string what = {}, means = {};
};

// Sums over the requests of one line that are of one kind.
struct LineTraffic {
  std::string file;
  int line = 0;
  bool is_shared = false;  // else device memory
  bool is_read = false;
  unsigned width = 0;  // bytes for each lane
  std::uint64_t requests = 0;
  std::uint64_t moved = 0;  // sectors of device memory, or wavefronts of shared memory
  std::uint64_t least = 0;  // that could hold the bytes
};

struct KernelLines {
  std::vector<KernelFinding> findings = {};
  std::vector<LineTraffic> traffic = {};
};

// They read records of a test process (harness/record_kinds.h).
KernelFinding finding_of(const std::string& payload);
LineTraffic traffic_of(const std::string& payload);

// The story of a failing test, as its process has sent it (harness/story.h).
class Story {
 public:
  void add_bytes(std::string_view bytes) { bytes_ += bytes; }
  bool empty() const { return bytes_.empty(); }

  // Head, start, then the steps; the last may be missing if the process was killed meanwhile.
  // Empty if there is no story.
  std::vector<StoryRecord> records() const;

  // What the test did, line by line. Empty if there is no story.
  std::string text() const;

 private:
  std::string bytes_;  // Why not the records: those of one story take up to a megabyte.
};

// What a test process has sent over its channel (harness/channel.h).

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

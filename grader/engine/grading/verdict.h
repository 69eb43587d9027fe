#pragma once
// From what a test process did to what that is called.

#include <cstdint>
#include <string>
#include <vector>

#include "base/process/process.h"
#include "grader/engine/grading/records.h"

namespace kv::grader {

enum class Status {
  kPass,
  kFail,
  kNotStarted,    // it reached a KV_TODO
  kCrash,         // ended by a signal
  kTimeout,       // used up its CPU time, or slept past the wall clock
  kExitedEarly,   // left the process before the test was over
  kNoStart,       // ended before any test began
  kWrongTest,     // another test than the one asked for reported
  kSanitizer,     // a finding of a sanitizer
  kCompileError,  // the lab does not compile, or its files were not handed in
  kNotRun,        // the time for this submission was up
};

const char* status_name(Status status);  // "not_started", as in the reports

// What the line that crashed says about the mistake.
enum class CrashLine { kIsTheMistake, kMayBeTheMistake, kSaysNothing };

struct Verdict {
  Status status = Status::kNoStart;
  std::string headline = {};    // one sentence: what happened
  std::string advice = {};      // a command that says more
  std::string source = {};      // FILE:LINE of the test, or of the check that failed
  std::string own_source = {};  // FILE:LINE of the student's code that crashed or did not end
  std::string place = {};       // the same as text: "in remove, line 36 of FILE"
  std::vector<std::string> open_steps = {};  // whose functions had not come back then
  std::vector<std::uint64_t> calls = {};     // addresses of the calls in progress then
  CrashLine crash_line = CrashLine::kIsTheMistake;
  Story story = {};                      // what the test did, step by step
  std::string history = {};              // the shortest calls that fail, for KV_HISTORY
  std::string spec = {};                 // what the test checks
  std::string heading = {};              // the README heading that states it
  std::vector<std::string> quotes = {};  // words of the contract that the test checks
  KernelLines kernel_lines = {};         // lab 06: what the simulator says about lines
  bool is_endless = false;               // a timeout that no more time would change
  std::uint64_t num_steps = 0;           // as in Records
  std::uint64_t most_steps = 0;          // as in Records
  std::string unwritten = {};            // the first step that it reached a KV_TODO of
  int num_forged = 0;                    // records on the private pipe that lacked the nonce
};

// The verdict on a test that needs a step, as "1.2 remove", which is not written.
Verdict not_started(const std::string& step);

Verdict not_run();

// Order: timeout > crash > no start > sanitizer > exited early > wrong test > not started > fail.
// A sanitizer leaves early too, and says more. Only in a sanitized build can there be one.
Verdict judge(const Outcome& outcome, const std::string& test_name, bool sanitized);

}  // namespace kv::grader

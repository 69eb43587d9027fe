#include "grader/engine/grading/verdict.h"

#include <array>

#include "grader/engine/grading/crash.h"
#include "grader/engine/grading/records.h"
#include "grader/harness/endless.h"

namespace kv::grader {
namespace {

constexpr int kSanitizerExit = 77;  // set in ASAN_OPTIONS

Status status_of(const Outcome& outcome,
                 const Records& records,
                 const std::string& test_name,
                 bool sanitized) {
  if (outcome.timed_out) return Status::kTimeout;
  if (outcome.signal != 0) return Status::kCrash;
  if (records.started.empty()) return Status::kNoStart;
  if (sanitized && outcome.exit_code == kSanitizerExit) return Status::kSanitizer;
  if (!records.done || !records.ended) return Status::kExitedEarly;
  if (records.started.size() != 1 || records.started[0] != test_name) return Status::kWrongTest;
  if (!records.first_todo.empty()) return Status::kNotStarted;
  return records.passed && outcome.exit_code == 0 ? Status::kPass : Status::kFail;
}

std::string headline_of(Status status, const Outcome& outcome, const Records& records) {
  switch (status) {
    case Status::kTimeout:
      if (!records.time_is_up.empty()) return records.time_is_up;
      return std::string(kTimeUsedUp).append(kOrLoopOrWait);
    case Status::kCrash:
      return crash_of(outcome, records).sentence;
    case Status::kNoStart:
      return "the program ended before its first test began";
    case Status::kExitedEarly:
      return "the program left (exit?) before the test was over; nothing was decided";
    case Status::kWrongTest:
      return "another test than the one asked for reported";
    case Status::kSanitizer:
      return sanitizer_sentence(outcome.output);
    case Status::kNotStarted:
      return not_started(records.first_todo).headline;
    default:
      return exception_text(records.wrong);
  }
}

// "/clone/labs/01-free-queue/tests/queue_test.cpp:88" -> "labs/01-free-queue/tests/..."
std::string path_in_kit(const std::string& source) {
  const std::size_t at = source.rfind("/labs/");
  return at == std::string::npos ? source : source.substr(at + 1);
}

}  // namespace

const char* status_name(Status status) {
  constexpr std::array kNames = {"pass",      "fail",          "not_started", "crash",
                                 "timeout",   "exited_early",  "no_start",    "wrong_test",
                                 "sanitizer", "compile_error", "not_run"};
  return kNames.at(static_cast<std::size_t>(status));
}

Verdict not_started(const std::string& step) {
  return {.status = Status::kNotStarted,
          .headline = "needs " + step + ", which is not written",
          .unwritten = step};
}

Verdict not_run() {
  return {.status = Status::kNotRun,
          .headline = "not run: the time for this submission was up before"};
}

Verdict judge(const Outcome& outcome, const std::string& test_name, bool sanitized) {
  const Records records = parse_records(outcome.channel, outcome.nonce);
  const Status status = status_of(outcome, records, test_name, sanitized);
  return {.status = status,
          .headline = headline_of(status, outcome, records),
          .source = path_in_kit(records.source),
          .calls = records.call_stack.addresses,
          .crash_line =
              status == Status::kCrash ? crash_of(outcome, records).line : CrashLine::kIsTheMistake,
          .story = records.story,
          .history = records.history,
          .spec = records.spec,
          .heading = records.heading,
          .quotes = records.quotes,
          .kernel_lines = records.kernel_lines,
          .is_endless = status == Status::kTimeout && records.is_endless,
          .num_steps = records.num_steps,
          .most_steps = records.most_steps,
          .unwritten = records.first_todo,
          .num_forged = records.num_forged};
}

}  // namespace kv::grader

#include "grader/program/grading/verdict.h"

#include <array>
#include <csignal>
#include <cstring>

#include "grader/program/grading/records.h"

namespace kv::grader {
namespace {

std::string signal_sentence(int signal_number) {
  switch (signal_number) {
    case SIGSEGV:
    case SIGBUS:
      return "crash (SIGSEGV): it read or wrote through a bad pointer, or recursed without end";
    case SIGABRT:
      return "crash (SIGABRT): something called abort, as an exception without a catch does";
    case SIGFPE:
      return "crash (SIGFPE): an integer was divided by zero";
    default:
      return std::string("crash: ended by signal ") + ::strsignal(signal_number);
  }
}

// What a sanitizer found, and the first line of the graded files in its report.
std::string sanitizer_sentence(const std::string& output) {
  constexpr std::string_view kError = "ERROR: ";
  std::string found;
  for (const std::string& line : split_lines(output)) {
    if (line.find("runtime error:") != std::string::npos) return line;
    const std::size_t error = line.find(kError);
    if (error != std::string::npos && found.empty()) {
      found = line.substr(error + kError.size());
      found = found.substr(0, found.find(" 0x"));
    }
    const bool is_frame = line.find("    #") == 0 && line.find("stage/") != std::string::npos;
    if (is_frame) return found + " at " + line.substr(line.rfind(' ') + 1);
  }
  return found.empty() ? "a sanitizer stopped the program" : found;
}

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
      return "timeout: stopped after its time was used up (a loop that does not end, or a wait?)";
    case Status::kCrash:
      return signal_sentence(outcome.signal);
    case Status::kNoStart:
      return "the program ended before its first test began";
    case Status::kExitedEarly:
      return "the program left (exit?) before the test was over; nothing was decided";
    case Status::kWrongTest:
      return "another test than the one asked for reported";
    case Status::kSanitizer:
      return sanitizer_sentence(outcome.output);
    case Status::kNotStarted:
      return "not started: it needs step " + records.first_todo;
    default:
      return records.wrong;
  }
}

}  // namespace

const char* status_name(Status status) {
  constexpr std::array kNames = {"pass",      "fail",         "not_started", "crash",
                                 "timeout",   "exited_early", "no_start",    "wrong_test",
                                 "sanitizer", "compile_error"};
  return kNames.at(static_cast<std::size_t>(status));
}

Verdict judge(const Outcome& outcome, const std::string& test_name, bool sanitized) {
  const Records records = parse_records(outcome.channel, outcome.nonce);
  const Status status = status_of(outcome, records, test_name, sanitized);
  return {.status = status,
          .headline = headline_of(status, outcome, records),
          .story = records.story,
          .spec = records.spec,
          .heading = records.heading,
          .quotes = records.quotes,
          .unwritten = records.first_todo,
          .num_forged = records.num_forged};
}

}  // namespace kv::grader

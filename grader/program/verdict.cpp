#include "grader/program/verdict.h"

#include <array>
#include <csignal>
#include <cstring>
#include <optional>

namespace kv::grader {
namespace {

struct Records {
  std::vector<std::string> started;
  std::string first_todo;
  std::string wrong;
  std::string story;
  std::string pins;
  std::string heading;
  bool passed = false;
  bool ended = false;
  bool done = false;
  int num_forged = 0;
};

void take(Records& records, const std::string& kind, const std::string& payload) {
  if (kind == "start") records.started.push_back(payload);
  if (kind == "todo" && records.first_todo.empty()) records.first_todo = payload;
  if (kind == "wrong") records.wrong = payload;
  if (kind == "story") records.story += payload + "\n";
  if (kind == "pins") records.pins = payload;
  if (kind == "heading") records.heading = payload;
  if (kind == "end") {
    records.ended = true;
    records.passed = payload == "pass";
  }
  if (kind == "done") records.done = true;
}

// Bytes that do not begin with the nonce are skipped up to the next line and counted as forged.
Records parse(std::string_view text, const std::string& nonce) {
  Records records;
  while (!text.empty()) {
    const std::size_t line_end = text.find('\n');
    if (line_end == std::string_view::npos) break;
    const std::string_view header = text.substr(0, line_end);
    text.remove_prefix(line_end + 1);
    const std::size_t size_at = header.rfind(' ');
    if (!header.starts_with(nonce + " ") || size_at <= nonce.size()) {
      ++records.num_forged;
      continue;
    }
    const std::string kind(header.substr(nonce.size() + 1, size_at - nonce.size() - 1));
    const std::size_t size =
        std::strtoul(std::string(header.substr(size_at + 1)).c_str(), nullptr, 10);
    take(records, kind, std::string(text.substr(0, size)));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return records;
}

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

// The line of a sanitizer's report that says what it found.
std::string sanitizer_sentence(const std::string& output) {
  for (const std::string& line : split_lines(output)) {
    if (line.find("runtime error:") != std::string::npos) return line;
    const std::size_t found = line.find("ERROR: ");
    if (found != std::string::npos) return line.substr(found + 7);
  }
  return "a sanitizer stopped the program";
}

constexpr int kSanitizerExit = 77;  // set in ASAN_OPTIONS

Status status_of(const Outcome& outcome, const Records& records, const std::string& test_name) {
  if (outcome.timed_out) return Status::kTimeout;
  if (outcome.signal != 0) return Status::kCrash;
  if (records.started.empty()) return Status::kNoStart;
  if (outcome.exit_code == kSanitizerExit) return Status::kSanitizer;
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

Verdict judge(const Outcome& outcome, const std::string& test_name) {
  const Records records = parse(outcome.channel, outcome.nonce);
  const Status status = status_of(outcome, records, test_name);
  return {.status = status,
          .headline = headline_of(status, outcome, records),
          .story = records.story,
          .pins = records.pins,
          .heading = records.heading,
          .num_forged = records.num_forged};
}

}  // namespace kv::grader

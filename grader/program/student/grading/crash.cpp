#include "grader/program/student/grading/crash.h"

#include <csignal>
#include <cstring>

#include "grader/harness/record_kinds.h"
#include "grader/program/student/grading/abort_message.h"

namespace kv::grader {
namespace {

Crash of_bad_pointer(const Records& records) {
  const std::string crash = "crash (SIGSEGV): ";
  if (records.call_stack.is_endless) {
    return {crash + "endless recursion, until the stack is full,"};
  }
  if (!records.fault)
    return {crash + "it read or wrote through a bad pointer", CrashLine::kMayBeTheMistake};
  std::string access = "a " + records.fault->access;
  if (records.fault->access == record_kind::kAccess) access = "a read or write";
  const bool is_null = records.fault->is_null();
  return {crash + access + (is_null ? " through a null pointer" : " through a bad pointer"),
          is_null ? CrashLine::kIsTheMistake : CrashLine::kMayBeTheMistake};
}

Crash of_abort(const Outcome& outcome) {
  const std::string crash = "crash (SIGABRT): ";
  if (const auto message = abort_message(outcome.output)) {
    return {crash + message->sentence,
            message->is_of_the_heap ? CrashLine::kSaysNothing : CrashLine::kIsTheMistake};
  }
  return {crash + "something called abort, as an exception without a catch does"};
}

}  // namespace

Crash crash_of(const Outcome& outcome, const Records& records) {
  switch (outcome.signal) {
    case SIGSEGV:
    case SIGBUS:
      return of_bad_pointer(records);
    case SIGABRT:
      return of_abort(outcome);
    case SIGFPE:
      return {"crash (SIGFPE): an integer was divided by zero"};
    case SIGILL:
      return {"crash (SIGILL): it reached the end of a function that has to return a value"};
    default:
      return {std::string("crash: ended by signal ") + ::strsignal(outcome.signal)};
  }
}

}  // namespace kv::grader

#pragma once
// What a crash is called: from the signal, from what a library prints before it calls abort, and
// from what a sanitizer reports.

#include <optional>
#include <string>

#include "grader/engine/grading/records.h"
#include "grader/engine/grading/verdict.h"

namespace kv::grader {

// What a library prints before it calls abort, in words for a student.
struct AbortMessage {
  std::string sentence;         // "index past the end of a std::span"
  bool is_of_the_heap = false;  // found long after the mistake, in another function
};

// The first such message in the output of a program.
std::optional<AbortMessage> abort_message(const std::string& output);

// The text of an exception of the standard library: "vector::_M_range_check: __n (which is 5) >=
// ..." becomes "index 5 past the end of a std::vector of size 2". Other texts stay as they are.
std::string exception_text(const std::string& text);

// The output without the lines that abort_message translates.
std::string without_abort_messages(const std::string& output);

// What a crash is called.
struct Crash {
  std::string sentence;  // "crash (SIGSEGV): a write through a null pointer"
  CrashLine line = CrashLine::kIsTheMistake;
};

Crash crash_of(const Outcome& outcome, const Records& records);

// What AddressSanitizer or UndefinedBehaviorSanitizer found, and the first line of the graded files
// in its report: "a write through a null pointer in remove, line 36 of stage/queue.cpp".
std::string sanitizer_sentence(const std::string& output);

}  // namespace kv::grader

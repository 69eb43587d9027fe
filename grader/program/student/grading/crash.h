#pragma once
// What a crash is called.

#include <string>

#include "grader/program/student/grading/records.h"
#include "grader/program/student/grading/verdict.h"

namespace kv::grader {

struct Crash {
  std::string sentence;  // "crash (SIGSEGV): a write through a null pointer"
  CrashLine line = CrashLine::kIsTheMistake;
};

Crash crash_of(const Outcome& outcome, const Records& records);

}  // namespace kv::grader

#pragma once
// The errors that end the program. Each message is one sentence that says how to fix it.

#include <stdexcept>
#include <string>

namespace kv::grader {

// The command cannot be carried out as given, or a tool is missing: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The kit itself is at fault, not the student: exit code 3.
class KitBroken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The machine refuses what the kit needs, as room on the disk; nothing can be said about a
// student's work: exit code 3.
class MachineFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A compiler needs more memory or time than it may have: a source, or the machine.
class CompilerExhausted : public MachineFailed {
 public:
  using MachineFailed::MachineFailed;
};

inline constexpr int kExitGraded = 0;
inline constexpr int kExitNotFull = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitKitBroken = 3;

// What a person reads about an exception, and how the program exits.
struct Failure {
  std::string sentence;
  int exit_code;
};

// To be called in a catch block: of the exception that it handles.
Failure current_failure();

}  // namespace kv::grader

#pragma once
// The errors that end the program. Each message is one sentence that says how to fix it.

#include <stdexcept>
#include <string>
#include <string_view>

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

// A lab needs a library that the machine does not have; other labs may do without it.
class LibraryMissing : public MachineFailed {
 public:
  using MachineFailed::MachineFailed;
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

// How the sentence about a MachineFailed begins.
inline constexpr std::string_view kNoScore = "no score, and this is not your fault: ";

// The reason alone: what such a sentence says after its beginning. Any other sentence stays.
inline std::string reason_in(const std::string& sentence) {
  return sentence.starts_with(kNoScore) ? sentence.substr(kNoScore.size()) : sentence;
}

// What a person reads about an exception, and how the program exits.
struct Failure {
  std::string sentence;
  int exit_code;
};

// To be called in a catch block: of the exception that it handles.
inline Failure current_failure() {
  try {
    throw;
  } catch (const UsageError& error) {
    return {error.what(), kExitUsage};
  } catch (const LibraryMissing& error) {  // Why apart: a server gives no score anyway.
    return {std::string("this is not your fault: ") + error.what(), kExitKitBroken};
  } catch (const MachineFailed& error) {
    return {std::string(kNoScore) + error.what(), kExitKitBroken};
  } catch (const KitBroken& error) {
    return {std::string("the kit itself is broken, this is not your fault: ") + error.what(),
            kExitKitBroken};
  } catch (const std::exception& error) {
    return {std::string("unexpected error: ") + error.what(), kExitKitBroken};
  }
}

}  // namespace kv::grader

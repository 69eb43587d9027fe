#pragma once
// Says how far a build is.

#include <chrono>
#include <string>

namespace kv::grader {

// At a terminal in one line, which is overwritten and goes away at the end. Elsewhere in a line
// every ten seconds, if LAB_PROGRESS asks for them: ./lab sets it for commands that a person waits
// for.
class BuildProgress {
 public:
  explicit BuildProgress(const std::string& target);  // "lab01_tests"
  ~BuildProgress();
  BuildProgress(const BuildProgress&) = delete;
  BuildProgress& operator=(const BuildProgress&) = delete;

  // A line of the build's output: "[3/14] Building ..." (Ninja) or "[ 21%] Building ..." (Make).
  void read(const std::string& line);

 private:
  enum class Form { kNone, kOverwritten, kLines };

  Form form_;
  std::string what_;  // "building lab 01"
  std::chrono::steady_clock::time_point last_;
  bool is_shown_ = false;
};

}  // namespace kv::grader

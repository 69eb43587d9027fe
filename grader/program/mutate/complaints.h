#pragma once
// Which mutants a compiler complains of.

#include <set>
#include <string>

namespace kv::grader::mutate {

inline constexpr std::string_view kMutantLine = "mutant-";  // #line 1 "mutant-17"

// Reads compiler output line by line. An error may stand in a header, and a line before it (g++) or
// behind it (clang) says which mutant led there; the same lines stand around warnings.
class Complaints {
 public:
  void read(const std::string& line);

  const std::set<int>& mutants() const { return mutants_; }

 private:
  std::set<int> mutants_;
  std::set<int> led_here_;  // to the next error or warning
  bool last_was_error_ = false;
};

}  // namespace kv::grader::mutate

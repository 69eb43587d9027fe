#pragma once
// All mutants of a file in one program. The body of a function becomes
//
//   switch (active_mutant) {
//     case 17: { the changed body } break;
//     ...
//     default: { the body }
//   }
//
// so one build and one test program hold all mutants, and each run chooses one of them by its
// number in the environment (KV_MUTANT). Each changed body has a #line of its own, so that compiler
// errors name the mutant.

#include <set>
#include <string>

#include "grader/proof/mutate/mutant.h"

namespace kv::grader::mutate {

// `source`, the text of `file`, with its mutants in it.
std::string schemata(const std::string& source,
                     const std::string& file,
                     const std::vector<Mutant>& mutants);

// Compiler output, read line by line: which mutants do not compile. An error may be in a header;
// then a line before it (g++) or after it (clang) says which mutant led there. Warnings have such
// lines, too.
class Diagnostics {
 public:
  void read(const std::string& line);

  const std::set<int>& mutants() const { return mutants_; }

 private:
  std::set<int> mutants_;
  std::set<int> led_here_;  // to the next error or warning
  bool last_was_error_ = false;
};

}  // namespace kv::grader::mutate

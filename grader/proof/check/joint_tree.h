#pragma once
// Variants of a lab's solution that change nothing but bodies of functions, in one tree. One build
// and one test program hold all of them, as with mutants (proof/mutate/schemata.h): to compile
// a hundred trees one by one takes minutes.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/engine/grading/grade_lab.h"
#include "grader/proof/mutate/mutant.h"

namespace kv::grader {

class JointTree {
 public:
  static constexpr int kSolution = 0;  // in place of a variant

  JointTree(const Kit& kit, const LabSpec& lab) : kit_(kit), lab_(lab) {}

  // Adds a file of a variant, numbered from 1. includes: what it needs at the top. False, and
  // nothing is added, when more than bodies differs from the solution.
  bool add(int variant,
           const std::string& file,
           const std::string& text,
           const std::string& includes = "");

  void write(const fs::path& tree) const;

  // The changed bodies; the id of each is its variant.
  const std::vector<mutate::Mutant>& bodies() const { return bodies_; }

  // Makes a run take this variant, or the solution.
  static void choose(int variant, RunOptions& options);

 private:
  const Kit& kit_;
  const LabSpec& lab_;
  std::vector<mutate::Mutant> bodies_ = {};
  std::map<std::string, std::set<std::string>> includes_ = {};  // #include lines for each file
};

}  // namespace kv::grader

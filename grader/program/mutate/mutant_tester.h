#pragma once
// A lab's own tests against all its mutants.

#include "grader/program/grading/scratch_build.h"
#include "grader/program/mutate/mutant.h"

namespace kv::grader::mutate {

class MutantTester {
 public:
  // tree: the solution that the mutants are of. sanitized: build with ASan and UBSan, and leave out
  // the histories, which take ten times as long then.
  MutantTester(const Kit& kit, const LabSpec& lab, fs::path tree, bool sanitized);

  // Builds one program with all mutants in it. Those that do not compile leave the list. Throws
  // KitBroken when the program does not build or fails its tests with no mutant active.
  void build(std::vector<Mutant>& mutants);

  // The mutants that pass all tests; a crash and a time-out count as caught.
  std::vector<Mutant> survivors_of(const std::vector<Mutant>& mutants) const;

  const BuildTree& build_tree() const { return scratch_build_.build_tree(); }

 private:
  // Tests that run together. Those of single steps come first: they catch most, in little time.
  struct Round {
    std::string filter;
    std::size_t num_tests = 0;
    double cpu_seconds = 0;  // allowed
  };

  void write_schemata(const std::vector<Mutant>& mutants) const;
  Outcome run_round(const Round& round, int mutant) const;
  void measure(Round& round) const;

  const Kit& kit_;
  const LabSpec& lab_;
  fs::path tree_;
  fs::path mutated_tree_;
  bool sanitized_;
  ScratchBuild scratch_build_;
  std::vector<Round> rounds_ = {};
};

}  // namespace kv::grader::mutate

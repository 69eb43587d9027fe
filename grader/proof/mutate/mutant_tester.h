#pragma once
// Runs a lab's tests on its mutants.

#include <functional>
#include <map>

#include "grader/engine/variations/scratch_build.h"
#include "grader/proof/mutate/mutant.h"

namespace kv::grader::mutate {

class MutantTester {
 public:
  // tree: the solution that is mutated. sanitized: builds with ASan and UBSan and skips the
  // histories, which take ten times as long then.
  MutantTester(const Kit& kit, const LabSpec& lab, fs::path tree, bool sanitized);

  // Builds one program with all mutants in it and removes those that do not compile. Throws
  // KitBroken when the program does not build; `build` also when it fails its tests with no mutant
  // active.
  void compile(std::vector<Mutant>& mutants);
  void build(std::vector<Mutant>& mutants);

  // The mutants that pass all tests; a crash and a timeout count as killed. The slowest tests run
  // on the mutants of `wanted` only: with them, one that survives takes ten times as long.
  using Choice = std::function<bool(const Mutant&)>;
  std::vector<Mutant> survivors_of(const std::vector<Mutant>& mutants, const Choice& wanted) const;

  const BuildTree& build_tree() const { return scratch_build_.build_tree(); }

 private:
  // Tests that run together.
  struct Round {
    std::vector<std::string> tests = {};
    double cpu_seconds = 0;  // allowed
    bool is_slow = false;
  };

  void write_schemata(const std::vector<Mutant>& mutants) const;
  Outcome run_round(const Round& round, int mutant) const;
  using Times = std::map<std::string, double>;  // milliseconds of each test
  Times times_of_tests() const;                 // with no mutant active
  static Round round_of(const Times& times, bool is_slow);
  static std::vector<Round> rounds_by_time(const Times& times);
  std::map<std::string, Round> rounds_by_file(const Times& times) const;
  bool survives(const Mutant& mutant, const Choice& wanted) const;

  const Kit& kit_;
  const LabSpec& lab_;
  fs::path tree_;
  fs::path mutated_tree_;
  bool sanitized_;
  ScratchBuild scratch_build_;
  std::map<std::string, Round> own_rounds_ = {};  // the tests of the steps of each file
  std::vector<Round> rounds_ = {};                // all tests, the quick ones first
};

}  // namespace kv::grader::mutate

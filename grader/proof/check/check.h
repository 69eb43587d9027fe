#pragma once
// `./lab test`: the kit's own tests.

#include <string>
#include <vector>

#include "grader/engine/variations/scratch_build.h"

namespace kv::grader {

// Counts the checks and prints a line for each: at once, or when it is added to others.
class Checks {
 public:
  enum class Print { kAtOnce, kLater };
  explicit Checks(Print when) : when_(when) {}

  // Prints "ok" or "FAILED", and `why` below a failure.
  void expect(bool holds, const std::string& name, const std::string& why = "");
  void unavailable(const std::string& name, const std::string& tool);

  void print(const std::string& text);
  void add(const Checks& more);

  // What another runner has counted, and the names of what failed there.
  void count(int num_passed, int num_unavailable, const std::vector<std::string>& failed);

  // The names of what failed, for a log is read from its end, and "N passed, N failed"; true when
  // nothing failed.
  bool report(bool absent_tool_fails) const;

 private:
  Print when_;
  std::string text_ = {};  // to be printed later
  int num_passed_ = 0;
  std::vector<std::string> failed_ = {};
  int num_unavailable_ = 0;
};

// A right work, which was graded last in this build, gives no reason to suspect anybody: neither
// its files nor a second opinion do.
void expect_no_flag(const Kit& kit,
                    ScratchBuild& build,
                    const LabResult& result,
                    const std::string& name,
                    Checks& checks);

void check_units(const Kit& kit, Checks& checks);                 // parts that need no tree
void check_harness(const Kit& kit, Checks& checks);               // what tests are written with
void check_manifest(const Kit& kit, Checks& checks);              // points; the tests all exist
void check_starter_and_solution(const Kit& kit, Checks& checks);  // starter 0, solution full
void check_programs(const Kit& kit, Checks& checks);              // no error, no warning
void check_other_builds(const Kit& kit, Checks& checks);          // other compilers, sanitizers
void check_claims(const Kit& kit, Checks& checks);                // each is tested
void check_options_met(const Kit& kit, Checks& checks);           // fields and pairs of options
void check_known_bugs(const Kit& kit, Checks& checks);            // each is killed by its test
void check_causes_of_bugs(const Kit& kit, Checks& checks);        // by no other; what is said of it
void check_near_misses(const Kit& kit, Checks& checks);           // none named as a known bug
void check_printed_tests(const Kit& kit, Checks& checks);         // they compile and fail
void check_alternatives(const Kit& kit, Checks& checks);          // each gets full marks
void check_stories(const Kit& kit, Checks& checks);               // what beginners read
void check_hostile(const Kit& kit, Checks& checks);               // code that fools naive graders
void check_messages(const Kit& kit, Checks& checks);              // what a beginner reads
void check_sanitized_messages(const Kit& kit, Checks& checks);    // the same under sanitizers
void check_predict(const Kit& kit, Checks& checks);               // printed answers are true
void check_mutation_outcomes(const Kit& kit, Checks& checks);     // on mutants with known outcomes
void check_mutation(const Kit& kit, Checks& checks);    // every mutant caught or explained
void check_core_alone(const Kit& kit, Checks& checks);  // every lab without its extra points
void check_staircase(const Kit& kit, Checks& checks);   // every lab solved up to each step

}  // namespace kv::grader

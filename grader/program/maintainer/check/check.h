#pragma once
// `./lab test`: the kit's own tests.

#include <string>

#include "grader/program/student/variations/scratch_build.h"

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
  void count(int num_passed, int num_failed, int num_unavailable);  // of another runner

  // "N passed, N failed"; true when nothing failed.
  bool report(bool absent_tool_fails) const;

 private:
  Print when_;
  std::string text_ = {};  // to be printed later
  int num_passed_ = 0;
  int num_failed_ = 0;
  int num_unavailable_ = 0;
};

void check_format_and_size(const Kit& kit, Checks& checks);       // form, lengths, stray stubs
void check_rooms(const Kit& kit, Checks& checks);                 // who may include whom
void check_documents(const Kit& kit, Checks& checks);             // facts that several texts state
void check_cpp_text(const Kit& kit, Checks& checks);              // functions, public parts
void check_harness(const Kit& kit, Checks& checks);               // what tests are written with
void check_mirror(const Kit& kit, Checks& checks);                // starter and solution, by line
void check_manifest(const Kit& kit, Checks& checks);              // points; the tests all exist
void check_starter_and_solution(const Kit& kit, Checks& checks);  // starter 0, solution full
void check_programs(const Kit& kit, Checks& checks);              // no error, no warning
void check_other_builds(const Kit& kit, Checks& checks);          // other compilers, sanitizers
void check_claims(const Kit& kit, Checks& checks);                // each is tested
void check_options_met(const Kit& kit, Checks& checks);           // fields and pairs of options
void check_known_bugs(const Kit& kit, Checks& checks);            // each is killed by its test
void check_near_misses(const Kit& kit, Checks& checks);           // none named as a known bug
void check_printed_tests(const Kit& kit, Checks& checks);         // they compile and fail
void check_alternatives(const Kit& kit, Checks& checks);          // each gets full marks
void check_stories(const Kit& kit, Checks& checks);               // what beginners read
void check_hostile(const Kit& kit, Checks& checks);               // code that fools naive graders
void check_messages(const Kit& kit, Checks& checks);              // what a beginner reads
void check_sanitized_messages(const Kit& kit, Checks& checks);    // the same under sanitizers
void check_predict(const Kit& kit, Checks& checks);               // printed answers are true
void check_commands(const Kit& kit, Checks& checks);              // bad input: a clear error
void check_flags(const Kit& kit, Checks& checks);                 // of suspicious text
void check_isolation(const Kit& kit, Checks& checks);             // what a test may touch
void check_class(const Kit& kit, Checks& checks);                 // many submissions, attacks too
void check_class_of_sixty(const Kit& kit, Checks& checks);        // killed, and run again
void check_similar(const Kit& kit, Checks& checks);               // copies found, no others
void check_handout(const Kit& kit, Checks& checks);               // graded, opened, merged
void check_bundle(const Kit& kit, Checks& checks);                // services, in their folders
void check_student_commands(const Kit& kit, Checks& checks);      // next, list, hint, reset
void check_watch(const Kit& kit, Checks& checks);                 // each save and key
void check_bench(const Kit& kit, Checks& checks);                 // each kind of row
void check_replay(const Kit& kit, Checks& checks);                // as an oracle; bad input
void check_generate(const Kit& kit, Checks& checks);              // one hash; bad input
void check_mutation_operators(const Kit& kit, Checks& checks);    // on lines with known mutants
void check_mutation_outcomes(const Kit& kit, Checks& checks);     // on mutants with known outcomes
void check_mutation(const Kit& kit, Checks& checks);         // every mutant caught or explained
void check_simt_bugs(const Kit& kit, Checks& checks);        // planted bugs found, no others
void check_simt_programs(const Kit& kit, Checks& checks);    // results as CUDA's; wrong use
void check_simt_refusals(const Kit& kit, Checks& checks);    // what is not there: one sentence
void check_simt_reference(const Kit& kit, Checks& checks);   // its page agrees with the code
void check_simt_shims(const Kit& kit, Checks& checks);       // our versions of CUDA's headers
void check_simt_metrics(const Kit& kit, Checks& checks);     // counts that are known exactly
void check_simt_docs(const Kit& kit, Checks& checks);        // output shown in docs is current
void check_nvcc(const Kit& kit, Checks& checks);             // no warnings, no spills
void check_spelling(const Kit& kit, Checks& checks);         // of all texts
void check_staircase(const Kit& kit, Checks& checks);        // every lab solved up to each step

}  // namespace kv::grader

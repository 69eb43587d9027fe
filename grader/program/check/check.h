#pragma once
// `./lab test`: the kit's own tests.

#include <string>

#include "grader/program/grading/trial_tree.h"

namespace kv::grader {

struct CheckOptions {
  bool full = false;
  bool strict = false;
  std::string only;  // part of the titles of the groups to run; empty: all
};

int check_command(const Kit& kit, const CheckOptions& options);

// `./lab signatures`: computes what each known mistake breaks, for the diagnosis of a report.
int signatures_command(const Kit& kit);

// Counts what was checked and says so, line by line; at once, or when it is added to others.
class Checks {
 public:
  enum class Says { kAtOnce, kLater };
  explicit Checks(Says says) : says_(says) {}

  // Says "ok" or "FAILED"; `why` is what to know in either case.
  void expect(bool holds, const std::string& name, const std::string& why = "");
  void unavailable(const std::string& name, const std::string& tool);

  void say(const std::string& text);
  void add(const Checks& more);

  // "N passed, N failed"; true when nothing failed.
  bool report(bool absent_tool_fails) const;

 private:
  Says says_;
  std::string text_ = {};  // to be said later
  int num_passed_ = 0;
  int num_failed_ = 0;
  int num_unavailable_ = 0;
};

void check_texts(const Kit& kit, Checks& checks);          // format, budgets of length, stray stubs
void check_documents(const Kit& kit, Checks& checks);      // facts that are in several texts
void check_harness(const Kit& kit, Checks& checks);        // what the graders are written with
void check_mirror(const Kit& kit, Checks& checks);         // starter and solution, line by line
void check_manifest(const Kit& kit, Checks& checks);       // points, and the tests that there are
void check_trees(const Kit& kit, Checks& checks);          // starter 0, solution full
void check_other_trees(const Kit& kit, Checks& checks);    // other compilers, and their sanitizers
void check_wrong(const Kit& kit, Checks& checks);          // each known mistake killed by its test
void check_right(const Kit& kit, Checks& checks);          // other right answers get full marks
void check_hostile(const Kit& kit, Checks& checks);        // code that breaks naive graders
void check_predict(const Kit& kit, Checks& checks);        // printed answers are true
void check_commands(const Kit& kit, Checks& checks);       // bad input: one sentence, an exit code
void check_operators(const Kit& kit, Checks& checks);      // the mutator: known lines
void check_fates(const Kit& kit, Checks& checks);          // the mutator: mutants with known fates
void check_mutation(const Kit& kit, Checks& checks);       // every mutant caught or explained
void check_simt_bugs(const Kit& kit, Checks& checks);      // planted bugs are found, and no others
void check_simt_programs(const Kit& kit, Checks& checks);  // what CUDA gives back; wrong use
void check_simt_shims(const Kit& kit, Checks& checks);     // what stands in for CUDA's headers
void check_simt_metrics(const Kit& kit, Checks& checks);   // counts that a textbook knows
void check_simt_docs(const Kit& kit, Checks& checks);      // the pages about CUDA print the truth
void check_staircase(const Kit& kit, Checks& checks);      // every lab solved up to every step

}  // namespace kv::grader

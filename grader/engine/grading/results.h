#pragma once
// The results of a grading run. The terminal, JSON and JUnit reports all show this.

#include <optional>
#include <string>
#include <vector>

#include "grader/engine/grading/provenance.h"
#include "grader/engine/grading/verdict.h"
#include "grader/engine/submission/submission.h"

namespace kv::grader {

// What makes a test fail (engine/cause/cause.h).
struct Cause {
  std::vector<std::string> steps;  // "2.2"; none for a given function
  std::string place;               // "2.2", "1.4 and 1.5", "the given function owns"
  std::string heading;             // heading in README and HINTS: "2.2 get_new_blocks"; or empty
  std::string text;                // "step 2.2 get_new_blocks (with the kit's version of it ...)"

  bool is_in(const std::string& step) const;
};

// What a grading looks like, from the known bugs that fail exactly these tests.
struct Diagnosis {
  std::string text = {};     // "looks like: ..."; empty: there is none
  std::string heading = {};  // heading in README and HINTS
};

struct TestResult {
  const TestSpec* spec;
  Verdict verdict;
  double seconds = 0;
  std::string printed = {};  // by the student's code
  std::optional<Cause> cause = {};
  const TestSpec* explained_by = nullptr;  // the cost test that shows the reason for a timeout

  bool failed() const;  // it began and did not pass
  int points() const { return verdict.status == Status::kPass ? spec->max_points : 0; }
};

// Some tests: those of one step or the histories, the core ones or the extra ones.
struct StepTally {
  int points = 0;
  int max_points = 0;  // 0: there are no such tests
  bool all_pass = true;
};

enum class LabState {
  kDone,
  kInProgress,
  kNotStarted,
  kDoesNotCompile,
  kNotSubmitted,
  kLacksLibrary,  // the machine does, not the student's files
};
const char* state_name(LabState state);

struct LabResult {
  const LabSpec* lab;
  LabState state;
  std::vector<std::string> open_steps = {};  // KV_TODO lines left
  std::string message = {};  // why there is nothing to test: as the first compiler error
  std::vector<TestResult> tests = {};
  std::vector<std::string> warnings = {};  // what the compiler warns about in the student's files
  std::string cause_search = {};           // why it was given up
  Diagnosis diagnosis = {};
  std::vector<std::string> flags = {};  // for the instructor; without influence on verdicts
  std::vector<std::string> notes = {};  // what --together and --sanitize found; no points

  bool was_run() const;    // its tests have run, or wait for a step
  bool is_graded() const;  // its files are there, and the machine has what they need
  int points(bool core) const;
  // The failing tests in the order of the score sheet; what explains the first one is before it.
  std::vector<const TestResult*> failures() const;
  std::optional<TestResult> first_failure() const;
  // The step to work on: the cause of the first failure, else the first whose tests do not all
  // pass; nullptr if there is none. The lab has to be built.
  const StepSpec* step_at_hand() const;
  bool is_blamed(const StepSpec& step) const;  // is it the cause of a failure?
  // The step whose function costs too much, by a cost test that has failed; nullptr.
  const StepSpec* costly_step(const TestResult& test) const;
  // The step whose function makes a test fail: its own, that of the cause, or the costly one.
  const StepSpec& step_to_fix(const TestResult& test) const;
  // Where the reason for a failure is, if not in the test's own step: "2.2"; else empty.
  std::string fails_through(const TestResult& test) const;
  bool is_open(const StepSpec& step) const;                // is its KV_TODO left?
  StepTally tally(const StepSpec& step, bool core) const;  // without the histories
  StepTally history_tally(bool core) const;

  // The first part of a step of which a test does not pass. 0: there is none.
  std::size_t part_at_hand(const StepSpec& step) const;
  // Is something of this part written? Code that ends before it passes none of its tests, nor of
  // those after it; ./lab test --full checks that.
  bool has_begun(const StepSpec& step, std::size_t part) const;
  // It is of a later part than the one to write now.
  bool waits_for_part(const TestResult& test) const;
};

struct Report {
  const Submission* submission;
  Provenance provenance = {};  // only reports that are written to files have it
  std::uint64_t seed;
  std::vector<LabResult> labs = {};

  int points(bool core) const;
  int max_points(bool core) const;
};

}  // namespace kv::grader

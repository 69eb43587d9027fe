#pragma once
// How far a student is in a lab: from the files as they are now, and from the last grading if they
// have not changed since. Nothing is built.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/desk/steps/progress.h"
#include "grader/engine/grading/results.h"

namespace kv::grader::steps {

// A tree with a student's work.
struct Tree {
  std::string name;  // as it was given: "starter"
  fs::path folder;

  // What a command needs to mean this tree: "" or " --tree me".
  std::string option() const { return name == "starter" ? "" : " --tree " + shell_word(name); }
  // The same before a lab's number: "" or "me ".
  std::string argument() const { return name == "starter" ? "" : shell_word(name) + " "; }
  fs::path file(const LabSpec& lab, const StepSpec& step) const {
    return folder / lab.folder / step.file;
  }
};

Tree open_tree(const Kit& kit, const std::string& name);  // throws UsageError

struct LabStanding {
  const LabSpec* lab;
  std::optional<LabRecord> record;        // what is recorded about the files as they are now
  std::map<std::string, StepRecord> now;  // by step
  std::optional<StepRecord> histories;    // if the lab has some

  StepState state(const StepSpec& step) const { return now.at(step.number).state; }
  bool has(StepState state) const;  // is a step in this state?
  bool is_untouched() const;
  bool is_core_done() const;
  // The step to work on; nullptr if there is none, or if a grading has to find it.
  const StepSpec* step_at_hand() const;
};

LabStanding standing_of(const Progress& progress, const Tree& tree, const LabSpec& lab);
std::vector<LabStanding> standings_of(const Kit& kit,
                                      const Tree& tree,
                                      const std::vector<const LabSpec*>& labs);

// The first lab that is begun and not done in its core; else the first that is not begun; else the
// last one.
LabStanding lab_at_hand(const Kit& kit, const Progress& progress, const Tree& tree);

// Stores what a grading found.
void record_grading(const Kit& kit, const Submission& submission, const LabResult& result);

}  // namespace kv::grader::steps

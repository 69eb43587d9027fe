#pragma once
// Runs scripts in the predict program of a lab: on the solution, and on a known bug.

#include <map>
#include <string>
#include <vector>

#include "base/kit/predict_questions.h"
#include "grader/engine/variations/scratch_build.h"

namespace kv::grader {

struct Printed {
  std::vector<std::string> lines = {};
  std::string refusal = {};  // why the script cannot be run; empty: it ran
};

class PredictPrograms {
 public:
  // Builds what the questions need. Throws KitBroken.
  PredictPrograms(const Kit& kit,
                  const LabSpec& lab,
                  const std::vector<PredictQuestion>& questions,
                  ScratchBuild& build);

  Printed solution_prints(const std::string& script) const;

  // bug: of one of the questions. A crash is a line, too.
  std::vector<std::string> bug_prints(const std::string& bug, const std::string& script) const;

 private:
  Outcome run_script(const fs::path& program, const std::string& script) const;

  Limits limits_;
  fs::path solution_;
  std::map<std::string, fs::path> bugs_;  // by name
};

// In a build folder of their own, for a student: says so when they are built for the first time.
// The kit's build folder is locked only meanwhile: a student thinks for a long time, and may grade.
// Throws UsageError: this copy of the kit has no solution.
PredictPrograms build_predict_programs(const Kit& kit,
                                       const LabSpec& lab,
                                       const std::vector<PredictQuestion>& questions);

}  // namespace kv::grader

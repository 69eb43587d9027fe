#pragma once
// What is remembered between two commands: the last grading of each tree, and which hints were
// shown. It is one file in the build folder; nothing of it is in the student's tree.

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/kit/kit.h"

namespace kv::grader::steps {

enum class StepState {
  kNotWritten,
  kNotGraded,   // written, and not graded since
  kWaits,       // its tests need another step, which is not written or wrong
  kInProgress,  // its first parts are right
  kWrong,
  kDoesNotCompile,
  kDone
};
const char* state_name(StepState state);  // "not written"

struct StepRecord {
  StepState state;
  std::string said = {};  // the state as the report says it: "fails through 4.7"
  std::size_t part = 0;   // to be written or fixed next, of a step with parts
  int core_points = 0;
  int extra_points = 0;
};

// What a grading found in one lab.
struct LabRecord {
  std::map<std::string, std::string> files = {};  // SHA-256 of what was graded, by name
  std::map<std::string, StepRecord> steps = {};   // by number
  std::optional<StepRecord> histories = {};       // if the lab has some
  std::string step_at_hand = {};                  // "2.3"; empty: none
  std::string error = {};                         // the first one of the compiler
  std::string diagnosis = {};                     // "looks like: ..."
  bool is_diagnosis_shown = false;                // by ./lab hint

  const StepSpec* find_step_at_hand(const LabSpec& lab) const;  // or nullptr
};

struct Progress {
  std::map<std::string, std::map<std::string, LabRecord>> trees = {};  // by folder, by lab: "02"
  std::map<std::string, int> tiers = {};  // the highest tier that was shown, by step

  LabRecord& of(const fs::path& tree, const LabSpec& lab);
  const LabRecord* find(const fs::path& tree, const LabSpec& lab) const;  // or nullptr
};

fs::path progress_folder(const Kit& kit);

// Empty if there is no file yet. One that is damaged or of another version counts as empty, and a
// sentence on standard error says so.
Progress load_progress(const Kit& kit);

// Reads the file if it can be used, changes it and writes it; no other process can write in
// between. Trees that are gone are removed. A file that cannot be written is a warning on standard
// error and no more.
void change_progress(const Kit& kit, const std::function<void(Progress&)>& change);

}  // namespace kv::grader::steps

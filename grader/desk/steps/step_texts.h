#pragma once
// The steps as a student names them, and as ./lab next, list, hint, reset and watch show them.

#include <string>
#include <vector>

#include "base/kit/manifest.h"
#include "grader/desk/steps/places.h"
#include "grader/desk/steps/standing.h"

namespace kv::grader::steps {

// The step that a student names on the command line.
struct NamedStep {
  const LabSpec* lab;
  const StepSpec* step;
};

// words: "2.3", or "2.3 touch" as one word or as two. Throws UsageError, which names the steps that
// could be meant.
NamedStep find_named_step(const Manifest& manifest, const std::vector<std::string>& words);

// What to read and what to write, with places that an editor's terminal can open.
std::string next_text(const Kit& kit, const Tree& tree, const LabStanding& standing);

// A line for each step of a lab: its state and its points. At most 80 columns.
std::string list_text(const LabStanding& standing);

// One line about several labs.
std::string summary_text(const Tree& tree, const std::vector<LabStanding>& standings);

inline constexpr int kLastTier = 3;  // the whole way, in words

// A tier as text for a terminal, with its title. Throws KitBroken: HINTS.md lacks it.
std::string tier_text(const Kit& kit, const LabSpec& lab, const StepSpec& step, int tier);

// What ./lab hint has to show next.
struct NextHint {
  std::string diagnosis = {};  // shown before any tier; empty: a tier is next
  int tier = 0;                // 0: all have been shown
};
NextHint next_hint(const Progress& progress, const LabStanding& standing, const StepSpec& step);

// Stores that it was shown.
void note_tier(const Kit& kit, const StepSpec& step, int tier);
void note_diagnosis(const Kit& kit, const Tree& tree, const LabSpec& lab);

struct Reset {
  fs::path file;
  Place place;    // where the stub is
  fs::path kept;  // a file with the function as it was

  std::string text(const Kit& kit, const StepSpec& step) const;  // what a student reads about it
};

// Replaces the function of the step, from its result type to its closing brace; every other byte
// of the file stays. What it replaces is written first, to a file of its own in the build folder.
// Throws UsageError, and changes nothing: the tree is the solution, the step has no stub, is not
// written, or its function cannot be told from the rest of the file.
Reset reset_step(const Kit& kit, const Tree& tree, const LabSpec& lab, const StepSpec& step);

}  // namespace kv::grader::steps

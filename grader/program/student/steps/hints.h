#pragma once
// The hints of a step: three tiers in the lab's HINTS.md, each says more than the one before.

#include <string>

#include "grader/program/student/steps/standing.h"

namespace kv::grader::desk {

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

}  // namespace kv::grader::desk

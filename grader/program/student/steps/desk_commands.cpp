#include "grader/program/student/steps/desk_commands.h"

#include <iostream>

#include "common/errors.h"
#include "grader/program/base/commands/confirm.h"
#include "grader/program/student/steps/hints.h"
#include "grader/program/student/steps/list.h"
#include "grader/program/student/steps/next.h"
#include "grader/program/student/steps/reset.h"
#include "grader/program/student/steps/shown_path.h"
#include "grader/program/student/steps/step_name.h"

namespace kv::grader {
namespace {

// The step that was named, else the one at hand.
desk::NamedStep asked_step(const Kit& kit,
                           const desk::Progress& progress,
                           const desk::Tree& tree,
                           const std::vector<std::string>& words) {
  if (!words.empty()) return desk::find_named_step(kit.manifest, words);
  const desk::LabStanding standing = desk::lab_at_hand(kit, progress, tree);
  if (const StepSpec* step = desk::step_at_hand(standing)) return {standing.lab, step};
  const bool compiles = !standing.record || standing.record->error.empty();
  const std::string why = compiles ? "a grading has to find the step at hand: ./lab grade " +
                                         standing.lab->id + tree.option()
                                   : "fix this first: " + standing.record->error;
  throw UsageError(why + "; or name a step, as in ./lab hint " +
                   standing.lab->steps.front().number);
}

// Tier 3 is the whole way: nobody should read it by accident.
bool is_wanted(const desk::Progress& progress, const StepSpec& step, int tier, bool yes) {
  const auto shown = progress.tiers.find(step.number);
  const bool is_known = shown != progress.tiers.end() && shown->second >= tier;
  if (tier < desk::kLastTier || is_known || yes) return true;
  return confirm("Tier 3 of " + step.heading() + " is the whole way, in words. Show it now?",
                 "tier 3 of " + step.heading() + " is the whole way, in words; --yes shows it");
}

void show_diagnosis(const Kit& kit,
                    const desk::Tree& tree,
                    const desk::NamedStep& asked,
                    const std::string& diagnosis) {
  std::cout << "step " << asked.step->heading() << " " << printable(diagnosis)
            << "\n\nnot enough?: ./lab hint " << asked.step->number << tree.option()
            << "  (tier 1)\n";
  desk::note_diagnosis(kit, tree, *asked.lab);
}

void show_tier(const Kit& kit, const desk::Tree& tree, const desk::NamedStep& asked, int tier) {
  std::cout << printable(desk::tier_text(kit, *asked.lab, *asked.step, tier)) << std::flush;
  if (tier < desk::kLastTier)
    std::cout << "\nstill stuck? ./lab hint " << asked.step->number << tree.option() << '\n';
  desk::note_tier(kit, *asked.step, tier);
}

}  // namespace

int next_command(const Kit& kit, const NextOptions& options) {
  const desk::Tree tree = desk::open_tree(kit, options.tree);
  const desk::Progress progress = desk::load_progress(kit);
  const desk::LabStanding standing =
      options.lab.empty() ? desk::lab_at_hand(kit, progress, tree)
                          : desk::standing_of(progress, tree, kit.manifest.lab(options.lab));
  std::cout << printable(desk::next_text(kit, tree, standing));
  return kExitGraded;
}

int list_command(const Kit& kit, const ListOptions& options) {
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(options.labs);
  const desk::Tree tree = desk::open_tree(kit, options.tree);
  const desk::Progress progress = desk::load_progress(kit);
  std::vector<desk::LabStanding> standings;
  for (const LabSpec* lab : labs) {
    standings.push_back(desk::standing_of(progress, tree, *lab));
    std::cout << desk::list_text(standings.back()) << '\n';
  }
  std::cout << desk::summary_text(tree, standings);
  return kExitGraded;
}

int hint_command(const Kit& kit, const HintOptions& options) {
  const desk::Tree tree = desk::open_tree(kit, options.tree);
  const desk::Progress progress = desk::load_progress(kit);
  const desk::NamedStep asked = asked_step(kit, progress, tree, options.step);
  const desk::NextHint next =
      desk::next_hint(progress, desk::standing_of(progress, tree, *asked.lab), *asked.step);
  const int tier = options.tier.value_or(next.tier);
  if (!options.tier && !next.diagnosis.empty()) {
    show_diagnosis(kit, tree, asked, next.diagnosis);
  } else if (tier == 0) {
    std::cout << "tier 3 of " << asked.step->heading() << " was the last; to see one again: "
              << "./lab hint " << asked.step->number << tree.option() << " --tier 1\n";
  } else if (is_wanted(progress, *asked.step, tier, options.yes)) {
    show_tier(kit, tree, asked, tier);
  }
  return kExitGraded;
}

int reset_command(const Kit& kit, const ResetOptions& options) {
  const desk::NamedStep asked = desk::find_named_step(kit.manifest, options.step);
  const desk::Tree tree = desk::open_tree(kit, options.tree);
  const desk::Reset reset = desk::reset_step(kit, tree, *asked.lab, *asked.step);
  std::cout << reset.text(kit, *asked.step);
  return kExitGraded;
}

}  // namespace kv::grader

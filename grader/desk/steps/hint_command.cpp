#include <algorithm>
#include <iostream>

#include "base/commands/command_line.h"
#include "base/text/errors.h"
#include "grader/desk/steps/step_texts.h"

namespace kv::grader::steps {
namespace {

// What is between `begin` and `end`; empty if one of them is missing.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return "";
  const std::size_t from = at + begin.size();
  const std::size_t to = text.find(end, from);
  return to == std::string::npos ? "" : text.substr(from, to - from);
}

std::string without_blank_ends(const std::string& text) {
  const std::size_t from = std::min(text.find_first_not_of('\n'), text.size());
  return text.substr(from, text.find_last_not_of('\n') + 1 - from);
}

// A link [PAGE.md](PAGE.md) as the path of the page.
std::string with_paths(std::string text, const LabSpec& lab) {
  std::size_t at = 0;
  while ((at = text.find("](", at)) != std::string::npos) {
    const std::size_t open = text.rfind('[', at);
    const std::size_t close = text.find(')', at);
    if (open == std::string::npos || close == std::string::npos) break;
    const std::string name = text.substr(open + 1, at - open - 1);
    const std::string path = "labs/" + lab.folder + "/" + text.substr(at + 2, close - at - 2);
    const std::string shown = path.ends_with("/" + name) ? path : name + " (" + path + ")";
    text.replace(open, close + 1 - open, shown);
    at = open + shown.size();
  }
  return text;
}

int last_shown(const Progress& progress, const StepSpec& step) {
  const auto found = progress.tiers.find(step.number);
  return found == progress.tiers.end() ? 0 : found->second;
}

}  // namespace

std::string tier_text(const Kit& kit, const LabSpec& lab, const StepSpec& step, int tier) {
  const std::string hints = read_file(kit.lab_folder(lab) / "HINTS.md");
  const std::string section = between(hints + "\n## ", "\n## " + step.heading() + "\n", "\n## ");
  const std::string number = std::to_string(tier);
  const std::string fold = between(section, "<summary>Tier " + number + ": ", "</details>");
  const std::size_t title_end = fold.find("</summary>");
  if (title_end == std::string::npos)
    throw KitBroken("labs/" + lab.folder + "/HINTS.md has no tier " + number + " of step " +
                    step.heading() + "; to get it back: git checkout -- labs/" + lab.folder);
  const std::string title = fold.substr(0, title_end);
  std::string text = fold.substr(title_end + std::string("</summary>").size());
  const std::string intro = without_blank_ends(section.substr(0, section.find("<details>")));
  if (tier == 1 && !intro.empty()) text = intro + "\n" + text;
  return step.heading() + ", tier " + number + " of " + std::to_string(kLastTier) + ": " + title +
         "\n\n" + with_paths(without_blank_ends(text), lab) + "\n";
}

NextHint next_hint(const Progress& progress, const LabStanding& standing, const StepSpec& step) {
  const auto& record = standing.record;
  const bool is_diagnosed = record && !record->diagnosis.empty() && !record->is_diagnosis_shown &&
                            record->step_at_hand == step.number;
  if (is_diagnosed) return {.diagnosis = record->diagnosis};
  const int shown = last_shown(progress, step);
  return {.tier = shown < kLastTier ? shown + 1 : 0};
}

void note_tier(const Kit& kit, const StepSpec& step, int tier) {
  change_progress(kit, [&](Progress& progress) {
    int& shown = progress.tiers[step.number];
    shown = std::max(shown, tier);
  });
}

void note_diagnosis(const Kit& kit, const Tree& tree, const LabSpec& lab) {
  change_progress(
      kit, [&](Progress& progress) { progress.of(tree.folder, lab).is_diagnosis_shown = true; });
}

namespace {

struct HintOptions {
  std::vector<std::string> step = {};  // words, as "2.3 touch"; none: the step at hand
  std::optional<int> tier = {};
  bool yes = false;
  std::string tree = "starter";
};

void declare_hint(CommandForm& form, HintOptions& options) {
  form.argument("STEP", options.step, "as 2.3; by default the step that ./lab next shows");
  form.option("--tier", options.tier, "show this tier, again if it was shown: 1, 2 or 3")
      .between(1, kLastTier);
  form.flag("--yes", options.yes, "do not ask before tier 3");
  declare_tree(form, options.tree);
  form.footer(
      "Each call shows one tier more: a question, the state drawn with ids, the steps in words.\n"
      "Write between two calls. If the last grading found a known bug in the step, that comes\n"
      "first. Tier 3 is the whole way, so it is shown after a question; without a terminal it\n"
      "needs --yes.");
}

// The step that was named, else the one at hand.
NamedStep asked_step(const Kit& kit,
                     const Progress& progress,
                     const Tree& tree,
                     const std::vector<std::string>& words) {
  if (!words.empty()) return find_named_step(kit.manifest, words);
  const LabStanding standing = lab_at_hand(kit, progress, tree);
  if (const StepSpec* step = standing.step_at_hand()) return {standing.lab, step};
  const bool compiles = !standing.record || standing.record->error.empty();
  const std::string why = compiles ? "a grading has to find the step at hand: ./lab grade " +
                                         standing.lab->id + tree.option()
                                   : "fix this first: " + standing.record->error;
  throw UsageError(why + "; or name a step, as in ./lab hint " +
                   standing.lab->steps.front().number);
}

// Tier 3 is the whole way: nobody should read it by accident.
bool is_wanted(const Progress& progress, const StepSpec& step, int tier, bool yes) {
  const auto shown = progress.tiers.find(step.number);
  const bool is_known = shown != progress.tiers.end() && shown->second >= tier;
  if (tier < kLastTier || is_known || yes) return true;
  return confirm("Tier 3 of " + step.heading() + " is the whole way, in words. Show it now?",
                 "tier 3 of " + step.heading() + " is the whole way, in words; --yes shows it");
}

void show_diagnosis(const Kit& kit,
                    const Tree& tree,
                    const NamedStep& asked,
                    const std::string& diagnosis) {
  std::cout << "step " << asked.step->heading() << " " << printable(diagnosis)
            << "\n\nnot enough?: ./lab hint " << asked.step->number << tree.option()
            << "  (tier 1)\n";
  note_diagnosis(kit, tree, *asked.lab);
}

void show_tier(const Kit& kit, const Tree& tree, const NamedStep& asked, int tier) {
  std::cout << printable(tier_text(kit, *asked.lab, *asked.step, tier)) << std::flush;
  if (tier < kLastTier)
    std::cout << "\nstill stuck? ./lab hint " << asked.step->number << tree.option() << '\n';
  note_tier(kit, *asked.step, tier);
}

int hint_command(const Kit& kit, const HintOptions& options) {
  const Tree tree = open_tree(kit, options.tree);
  const Progress progress = load_progress(kit);
  const NamedStep asked = asked_step(kit, progress, tree, options.step);
  const NextHint next = next_hint(progress, standing_of(progress, tree, *asked.lab), *asked.step);
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

}  // namespace
}  // namespace kv::grader::steps

void kv::grader::add_hint_command(CommandLine& line) {
  line.add<steps::HintOptions>("hint", steps::declare_hint, steps::hint_command);
}

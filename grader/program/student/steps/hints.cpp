#include "grader/program/student/steps/hints.h"

#include <algorithm>

#include "common/errors.h"

namespace kv::grader::desk {
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

}  // namespace kv::grader::desk

#include "grader/program/student/watch/first_step.h"

#include <algorithm>

#include "grader/program/student/steps/places.h"

namespace kv::grader::watch {
namespace {

// Empty if the file or the function is not there.
std::string function_in(const Kit& kit,
                        const LabSpec& lab,
                        const StepSpec& step,
                        const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return "";
  const std::string source = read_file(file);
  const auto function = steps::find_step(kit, lab, step, source);
  return function ? join(function->lines, "\n") : "";
}

std::vector<const StepSpec*> changed_steps(const Kit& kit,
                                           const steps::Tree& tree,
                                           const LabSpec& lab) {
  std::vector<const StepSpec*> changed;
  for (const StepSpec& step : lab.steps) {
    if (!step.has_stub()) continue;
    const fs::path staged = kit.build / "stage" / lab.folder / step.file;
    if (function_in(kit, lab, step, tree.file(lab, step)) != function_in(kit, lab, step, staged))
      changed.push_back(&step);
  }
  return changed;
}

}  // namespace

const StepSpec& first_step(const Kit& kit,
                           const steps::Progress& progress,
                           const steps::Tree& tree,
                           const LabSpec& lab) {
  // After the last grading, whatever has changed since.
  const steps::LabRecord* record = progress.find(tree.folder, lab);
  const StepSpec* at_hand = record == nullptr ? nullptr : record->find_step_at_hand(lab);
  const std::vector<const StepSpec*> changed = changed_steps(kit, tree, lab);
  if (!changed.empty() && std::ranges::count(changed, at_hand) == 0) return *changed.front();
  if (at_hand == nullptr) at_hand = steps::standing_of(progress, tree, lab).step_at_hand();
  return at_hand == nullptr ? lab.steps.front() : *at_hand;
}

}  // namespace kv::grader::watch

#include "grader/program/student/watch/watch_command.h"

#include <iostream>

#include "common/errors.h"
#include "grader/program/student/report/grade_command.h"
#include "grader/program/student/steps/list.h"
#include "grader/program/student/watch/watch_session.h"

namespace kv::grader {
namespace {

// What ./lab list counts, on the screen to which the terminal returns.
void print_summary(const Kit& kit,
                   const desk::Tree& tree,
                   const std::vector<const LabSpec*>& labs) {
  const desk::Progress progress = desk::load_progress(kit);
  std::vector<desk::LabStanding> standings;
  for (const LabSpec* lab : labs) standings.push_back(desk::standing_of(progress, tree, *lab));
  std::cout << desk::summary_text(tree, standings);
}

}  // namespace

int watch_command(const Kit& kit, const WatchOptions& options) {
  const LabSpec* only = options.lab.empty() ? nullptr : &kit.manifest.lab(options.lab);
  const desk::Tree tree = desk::open_tree(kit, options.tree);
  if (!watch::Terminal::is_there()) {
    const desk::LabStanding at_hand = desk::lab_at_hand(kit, desk::load_progress(kit), tree);
    const LabSpec& lab = only == nullptr ? *at_hand.lab : *only;
    return grade_command(kit, {.labs = {lab.id}, .tree = options.tree});
  }
  const int exit_code = watch::Session(kit, tree, only).run();
  if (exit_code == kExitGraded)
    print_summary(
        kit, tree,
        kit.manifest.chosen(only == nullptr ? std::vector<std::string>{} : std::vector{only->id}));
  return exit_code;
}

}  // namespace kv::grader

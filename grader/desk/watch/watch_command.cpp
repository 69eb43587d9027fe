#include <iostream>

#include "base/commands/command_line.h"
#include "base/text/errors.h"
#include "grader/desk/grade/grade_command.h"
#include "grader/desk/steps/step_texts.h"
#include "grader/desk/watch/watch_session.h"

namespace kv::grader {
namespace {

struct WatchOptions {
  std::string lab = {};  // empty: all
  std::string tree = "starter";
};

void declare_watch(CommandForm& form, WatchOptions& options) {
  form.argument("LAB", options.lab, "a lab; by default all, beginning with the lab at hand");
  declare_tree(form, options.tree);
  form.footer(
      "Leave it open in one terminal while you write in another. After each save it shows one\n"
      "page: first the verdict on the step at hand, then the points of the lab, what its first\n"
      "failing test did, and what to do next. A save while it grades begins again. What is graded\n"
      "counts for ./lab next, list and hint as after ./lab grade.\n"
      "  n  what to read and where to write; in a lab that is done: the next lab\n"
      "  h  the next hint for the step; asks before tier 3\n"
      "  l  the steps of the lab, with their states and points\n"
      "  r  puts the stub of the step back; asks first, and keeps your function in a file\n"
      "  d  compares your functions with the solution's, when the core of the lab is done\n"
      "  a  grades all labs\n"
      "  q  quits; Ctrl-Z stops, and fg goes on\n"
      "Space shows what does not fit on the page. Without a terminal it grades once, prints and\n"
      "ends. exit codes: those of ./lab grade, and 128 and its number after a signal");
}

int watch_command(const Kit& kit, const WatchOptions& options) {
  const LabSpec* only = options.lab.empty() ? nullptr : &kit.manifest.lab(options.lab);
  const steps::Tree tree = steps::open_tree(kit, options.tree);
  if (!watch::Terminal::is_there()) {
    const steps::LabStanding at_hand = steps::lab_at_hand(kit, steps::load_progress(kit), tree);
    const LabSpec& lab = only == nullptr ? *at_hand.lab : *only;
    return grade_command(kit, {.labs = {lab.id}, .tree = options.tree});
  }
  const int exit_code = watch::Session(kit, tree, only).run();
  if (exit_code != kExitGraded) return exit_code;
  // What ./lab list counts, on the screen to which the terminal returns.
  const auto labs = only == nullptr ? kit.manifest.chosen({}) : std::vector{only};
  std::cout << steps::summary_text(tree, steps::standings_of(kit, tree, labs));
  return exit_code;
}

}  // namespace

void add_watch_command(CommandLine& line) {
  line.add<WatchOptions>("watch", declare_watch, watch_command);
}

}  // namespace kv::grader

#include <iostream>

#include "base/commands/command_line.h"
#include "base/kit/closed_labs.h"
#include "base/kit/predict_questions.h"
#include "base/text/errors.h"
#include "grader/desk/steps/places.h"
#include "grader/desk/steps/step_texts.h"

namespace kv::grader::steps {
namespace {

std::string row(const std::string& what, const std::string& text) {
  std::string padded = "    " + what;
  padded.resize(12, ' ');
  return padded + text + "\n";
}

std::string grade_row(const Tree& tree, const LabSpec& lab) {
  return row("then", "./lab grade " + lab.id + tree.option());
}

// The heading of a step is in the README, or in a page of its own beside it.
std::string reading_place(const Kit& kit, const LabSpec& lab, const StepSpec& step) {
  for (const fs::directory_entry& entry : fs::directory_iterator(kit.lab_folder(lab))) {
    const fs::path& page = entry.path();
    if (page.extension() != ".md" || page.filename() == "HINTS.md") continue;
    const std::string text = read_file(page);
    const std::size_t at = text.find("# " + step.heading() + "\n");
    if (at == std::string::npos) continue;
    return shown_path(kit, page) + ":" + std::to_string(place_of(text, at).line) + "  \"" +
           step.heading() + "\"";
  }
  return shown_path(kit, kit.lab_folder(lab) / "README.md");
}

std::string writing_place(const Kit& kit,
                          const Tree& tree,
                          const LabSpec& lab,
                          const StepSpec& step) {
  const fs::path file = tree.file(lab, step);
  const std::string shown = shown_path(kit, file);
  std::error_code error;
  if (!fs::exists(file, error))
    return shown + "  (not there; copy it from a fresh clone's starter/)";
  const auto place = find_place(kit, lab, step, read_file(file));
  return place ? shown + ":" + place->text() : shown + "  (no function of that name in it)";
}

// ", part 3, Hits": of a step with parts, as far as it is known.
std::string part_text(const LabStanding& standing, const StepSpec& step) {
  const bool is_unwritten = standing.state(step) == StepState::kNotWritten;
  const std::size_t part =
      is_unwritten && !step.parts.empty() ? 1 : standing.now.at(step.number).part;
  return part == 0 ? "" : ", " + step.part_name(part);
}

std::string step_text(const Kit& kit,
                      const Tree& tree,
                      const LabStanding& standing,
                      const StepSpec& step) {
  const LabSpec& lab = *standing.lab;
  const StepState state = standing.state(step);
  const bool is_written = state != StepState::kNotWritten && state != StepState::kInProgress;
  std::string text = "lab " + lab.id + "  " + lab.title + ": step " + step.heading() +
                     part_text(standing, step) + "\n";
  if (standing.is_untouched())
    text += row("first", shown_path(kit, kit.lab_folder(lab) / "README.md") + "  (the lab takes " +
                             lab.hours + " hours)");
  if (standing.is_untouched() && !predict_questions(kit, lab).empty())
    text += row("predict", "./lab predict " + lab.id + "  (before you write)");
  text += row("read", reading_place(kit, lab, step));
  text += row(is_written ? "fix" : "write", writing_place(kit, tree, lab, step));
  if (!standing.record && standing.has(StepState::kNotGraded))
    text += row("but", "what you wrote has not been graded since; a step before may be wrong");
  return text + grade_row(tree, lab) + row("stuck?", "./lab hint " + step.number + tree.option());
}

std::string comparing(const Kit& kit, const Tree& tree, const LabSpec& lab) {
  return (is_closed(kit, lab) ? kWhenOpen : "") + ("./lab diff " + tree.argument() + lab.id);
}

}  // namespace

std::string next_text(const Kit& kit, const Tree& tree, const LabStanding& standing) {
  const LabSpec& lab = *standing.lab;
  const std::string head = "lab " + lab.id + "  " + lab.title + ": ";
  if (standing.record && !standing.record->error.empty())
    return head + "does not compile\n" + row("fix", standing.record->error) + grade_row(tree, lab);
  const StepSpec* step = standing.step_at_hand();
  std::string text;
  if (standing.is_core_done())
    text = head + "the core is done\n" + row("compare", comparing(kit, tree, lab)) +
           row("read", shown_path(kit, kit.lab_folder(lab) / "README.md") + "  \"" +
                           kComparisonHeading + "\"") +
           (lab.use.empty() ? "" : row("use it", lab.use));
  if (step != nullptr && !text.empty()) text += "or, for extra points:\n";
  if (step != nullptr) return text + step_text(kit, tree, standing, *step);
  if (!text.empty()) return text;
  return head + "every step is written, and not graded since\n" +
         row("now", "./lab grade " + lab.id + tree.option());
}

namespace {

struct NextOptions {
  std::string lab = {};  // empty: that of lab_at_hand
  std::string tree = "starter";
};

void declare_next(CommandForm& form, NextOptions& options) {
  form.argument("LAB", options.lab, "a lab; by default the first that is begun and not done");
  declare_tree(form, options.tree);
  form.footer(
      "Shows one step: its heading in the README, and the line and column of its stub, or of\n"
      "the function to fix. If your files have changed since the last ./lab grade, it says so:\n"
      "whether a function is right can only be found by grading. Nothing is built.");
}

int next_command(const Kit& kit, const NextOptions& options) {
  const Tree tree = open_tree(kit, options.tree);
  const Progress progress = load_progress(kit);
  const LabStanding standing = options.lab.empty()
                                   ? lab_at_hand(kit, progress, tree)
                                   : standing_of(progress, tree, kit.manifest.lab(options.lab));
  std::cout << printable(next_text(kit, tree, standing));
  return kExitGraded;
}

}  // namespace
}  // namespace kv::grader::steps

void kv::grader::add_next_command(CommandLine& line) {
  line.add<steps::NextOptions>("next", steps::declare_next, steps::next_command);
}

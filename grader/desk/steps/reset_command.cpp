#include <algorithm>
#include <iostream>

#include "base/commands/command_line.h"
#include "base/cpp_text/lexer.h"
#include "base/text/errors.h"
#include "grader/desk/steps/places.h"
#include "grader/desk/steps/step_texts.h"

namespace kv::grader::steps {
namespace {

void refuse_without_stub(const LabSpec& lab, const StepSpec& step) {
  if (step.has_stub()) return;
  std::vector<std::string> rewritten;
  for (const auto& [number, line] : step.first_forms)
    rewritten.push_back(lab.step(number).heading());
  throw UsageError("step " + step.heading() + " has no stub of its own: it rewrites " +
                   join(rewritten, ", ") + "; reset those");
}

// A brace too few can make one function of two, so the other steps have to be found as well.
FunctionText function_to_reset(const Kit& kit,
                               const LabSpec& lab,
                               const StepSpec& step,
                               const std::string& source,
                               const std::string& shown) {
  if (const auto place = unmatched_bracket(source))
    throw UsageError(shown + ":" + place->text() +
                     ": this bracket has no partner, so nobody can say where step " +
                     step.heading() + " ends; fix it, then reset again");
  for (const StepSpec& other : lab.steps) {
    const bool is_needed = other.file == step.file && other.has_stub();
    if (!is_needed || find_step(kit, lab, other, source)) continue;
    throw UsageError("the function of step " + other.heading() + " is not found in " + shown +
                     ", or more than once; its first line has to be as in this stub:\n" +
                     stub_text(kit, lab, other));
  }
  return *find_step(kit, lab, step, source);
}

bool are_same_code(const std::string& left, const std::string& right) {
  return std::ranges::equal(tokenize(left, Directives::kKeep), tokenize(right, Directives::kKeep),
                            {}, &Token::text, &Token::text);
}

// A name that is not taken: "2.3-touch.1.cpp".
fs::path write_kept(const Kit& kit, const StepSpec& step, const std::string& function) {
  const std::string name = step.number + "-" + step.name.substr(step.name.rfind(':') + 1);
  const std::string extension = fs::path(step.file).extension().string();
  fs::path file;
  for (int i = 1; file.empty() || fs::exists(file); ++i)
    file = progress_folder(kit) / "kept" / (name + "." + std::to_string(i) + extension);
  write_file(file, function + "\n");
  return file;
}

}  // namespace

std::string Reset::text(const Kit& kit, const StepSpec& step) const {
  return "step " + step.heading() + " is not written again: " + shown_path(kit, file) + ":" +
         place.text() + "\nyour function is kept in " + shown_path(kit, kept) + "\n";
}

Reset reset_step(const Kit& kit, const Tree& tree, const LabSpec& lab, const StepSpec& step) {
  if (fs::equivalent(tree.folder, kit.root / "solution"))
    throw UsageError("solution/ is the kit's, and ./lab reset is for your own files");
  refuse_without_stub(lab, step);
  const fs::path path = tree.file(lab, step);
  const std::string source = read_file(path);
  const std::string shown = shown_path(kit, path);
  const FunctionText function = function_to_reset(kit, lab, step, source, shown);
  const std::size_t size = function.close + 1 - function.begin;
  const std::string yours = source.substr(function.begin, size);
  std::string stub = stub_text(kit, lab, step);
  if (are_same_code(yours, stub))
    throw UsageError("nothing to reset: step " + step.heading() + " in " + shown + ":" +
                     place_of(source, function.begin).text() + " is the stub already");
  const bool has_crlf = source.find("\r\n") != std::string::npos;
  if (has_crlf) stub = replace_all(stub, "\n", "\r\n");
  const Lock lock(progress_folder(kit),
                  Lock::Wait::kShort);  // two resets at a time would use one name
  const fs::path kept = write_kept(kit, step, yours);
  const std::string result = std::string(source).replace(function.begin, size, stub);
  write_file(fs::canonical(path), result);
  return {.file = path, .place = *find_place(kit, lab, step, result), .kept = kept};
}

namespace {

struct ResetOptions {
  std::vector<std::string> step = {};  // words
  std::string tree = "starter";
};

void declare_reset(CommandForm& form, ResetOptions& options) {
  form.argument("STEP", options.step, "as 2.3").required();
  form.option("--tree", options.tree, "starter (default), or a folder with your files");
  form.footer(
      "Puts the stub of one function back, to begin again. Your function is kept in a file in\n"
      "the build folder, which the command names; no such file is ever overwritten. Nothing\n"
      "else in your file changes.");
}

int reset_command(const Kit& kit, const ResetOptions& options) {
  const NamedStep asked = find_named_step(kit.manifest, options.step);
  const Tree tree = open_tree(kit, options.tree);
  const Reset reset = reset_step(kit, tree, *asked.lab, *asked.step);
  std::cout << reset.text(kit, *asked.step);
  return kExitGraded;
}

}  // namespace
}  // namespace kv::grader::steps

void kv::grader::add_reset_command(CommandLine& line) {
  line.add<steps::ResetOptions>("reset", steps::declare_reset, steps::reset_command);
}

#include "grader/engine/cause/mixed_program.h"

#include "base/cpp_text/functions.h"

namespace kv::grader::cause {
namespace {

// Why not inlined: a call has to reach the slot of its function, from the same file too.
std::string without_inlining(const std::string& source) {
  std::string text;
  std::size_t copied = 0;
  for (const FunctionText& function : all_functions(source)) {
    text += source.substr(copied, function.begin - copied) + "[[gnu::noinline]] ";
    copied = function.begin;
  }
  return text + source.substr(copied);
}

// Writes the lab's files for one of the two libraries. See kNamedNamespace.
void write_side(const fs::path& from, const LabSpec& lab, const fs::path& to) {
  const std::string named = "\ninline namespace " + std::string(kNamedNamespace) + " {";
  for (const std::string& file : lab.files) {
    const fs::path path = fs::path(lab.folder) / file;
    const std::string source = without_inlining(read_file(from / path));
    write_file(to / path, replace_all(source, "\nnamespace {", named));
  }
}

std::string slots_text(const std::vector<Symbol>& slots) {
  std::string text;
  for (std::size_t i = 0; i < slots.size(); ++i)
    text += "KV_SLOT(" + std::to_string(i) + ", " + slots[i].linker_name + ")\n";
  return text;
}

fs::path library(const BuildTree& tree, const LabSpec& lab, const std::string& side) {
  return tree.folder() / ("liblab" + lab.id + "_" + side + "_side.so");
}

}  // namespace

std::optional<MixedProgram> MixedProgram::build(const Kit& kit,
                                                BuildTree& tree,
                                                const fs::path& student,
                                                const LabSpec& lab) {
  MixedProgram program(kit, tree, lab);
  if (!program.build_parts(tree, student)) return std::nullopt;
  return program;
}

bool MixedProgram::build_parts(BuildTree& tree, const fs::path& student) {
  const std::string name = "lab" + lab_.id;
  const fs::path sides = tree.folder() / "sides";
  write_side(student, lab_, sides / "student");
  write_side(kit_.root / "solution", lab_, sides / "solution");
  if (!tree.build(name + "_solution_side").ok()) return false;
  functions_ = functions_of_solution(kit_, lab_);
  slots_ = symbols_of(library(tree, lab_, "solution"));
  std::erase_if(slots_, [&](const Symbol& slot) { return !functions_.contains(slot.function); });
  write_file(sides / name / "slots.inc", slots_text(slots_));
  return tree.build(name + "_student_side").ok() && tree.build(name + "_mixed").ok();
}

Outcome MixedProgram::run(const std::string& filter,
                          const std::set<std::string>& from_student,
                          double cpu_seconds,
                          RunOptions options) const {
  std::string chosen;
  for (const Symbol& slot : slots_) chosen += from_student.contains(slot.function) ? '1' : '0';
  options.environment["KV_STUDENT_SIDE"] = library(tree_, lab_, "student").string();
  options.environment["KV_SOLUTION_SIDE"] = library(tree_, lab_, "solution").string();
  options.environment["KV_FROM_STUDENT"] = chosen;
  Command command = test_command(kit_, lab_, tree_.program("lab" + lab_.id + "_mixed"), filter,
                                 cpu_seconds, options);
  command.has_channel = true;
  command.limits->is_exact = true;  // Why: a second for each run that hangs is a search for nothing
  return grader::run(command);
}

}  // namespace kv::grader::cause

#include "apps/commands/stack_program.h"

#include <algorithm>
#include <csignal>
#include <iostream>

#include "base/builds/build_failure.h"
#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/desk/bench/lab_program.h"

namespace kv::grader {
namespace {

bool is_done(const SubmittedLab& submitted) {
  const LabSpec& lab = *submitted.lab;
  return submitted.is_submitted &&
         std::ranges::none_of(submitted.open_steps,
                              [&](const std::string& step) { return lab.is_core(lab.step(step)); });
}

// "lab07_stack": of what the program is made. Why: programs of the same objects share the folder.
std::string objects_of(const StackProgram& program) {
  return "lab" + program.labs.back()->id + "_" + program.objects;
}

struct StagedStack {
  Submission submission;
  std::vector<const LabSpec*> own;
};

// Says which of the labs that others need are the solution's.
void name_missing(const std::vector<const LabSpec*>& missing,
                  const std::vector<const LabSpec*>& own,
                  const StackProgram& program,
                  const std::string& tree) {
  for (const LabSpec* lab : missing) {
    const auto needs_it = [&](const LabSpec* other) {
      return std::ranges::count(other->needs, lab->id) > 0;
    };
    if (std::ranges::any_of(own, needs_it))
      std::cerr << "lab: lab " << lab->id << " is not done in " << tree << ", so ./lab "
                << program.command << " takes the solution's\n";
  }
}

// The files of the labs: of one that is neither done nor asked for, the solution's.
StagedStack stage_stack(const Kit& kit,
                        const StackProgram& program,
                        const std::string& tree,
                        const LabSpec* asked) {
  const std::string stage = objects_of(program) + "-stage";
  const Submission found =
      stage_submission(kit, tree, program.labs, kit.build / (stage + "-asked"));
  std::vector<const LabSpec*> own, missing;
  for (const SubmittedLab& submitted : found.labs) {
    const LabSpec& lab = *submitted.lab;
    const bool is_own = &lab == asked || is_done(submitted) || is_closed(kit, lab);
    (is_own ? own : missing).push_back(&lab);
  }
  if (own.empty())
    throw UsageError("no lab of " + found.name + " is done; with its number, ./lab " +
                     program.command + " takes a lab as it is: ./lab " + program.command + " 01");
  name_missing(missing, own, program, found.name);
  if (!missing.empty()) stage_submission(kit, "solution", missing, kit.build / stage);
  return {stage_for_bench(kit, own, tree, stage), own};
}

// Why an error about symbols is the student's: with the solution, the program has what it needs.
fs::path link_stack(BuildTree& build, const std::string& target, const Submission& submission) {
  const Outcome built = build.build(target);
  if (built.ok()) return build.program(target);
  const std::string error = first_error(built.output);
  if (is_about_symbols(error))
    throw UsageError("the code of " + submission.name + " does not link:\n" +
                     submission.with_own_paths(error));
  throw KitBroken(target + " does not build:\n" + error);
}

fs::path build_stack(const Kit& kit, const StackProgram& program, const Submission& submission) {
  const std::string objects = objects_of(program);
  BuildTree build(kit, objects, submission.stage, {.type = "Release"});
  build.configure();
  build_student_files(kit, build, submission, objects);
  return link_stack(build, "lab" + program.labs.back()->id + "_" + program.command, submission);
}

StagedStack stage_finished_stack(const Kit& kit,
                                 const StackProgram& program,
                                 const std::string& tree) {
  StagedStack staged = stage_stack(kit, program, tree, program.labs.back());
  refuse_stubs(staged.submission, "./lab " + program.command);
  return staged;
}

}  // namespace

StackProgram program_of_stack(const Kit& kit, const LabSpec& lab, const std::string& command) {
  StackProgram program{.command = command, .labs = {}, .objects = "stack"};
  for (const std::string& id : lab.needs) program.labs.push_back(&kit.manifest.lab(id));
  program.labs.push_back(&lab);
  return program;
}

// Why the lock ends here: while a model speaks, other commands can build.
fs::path build_finished_stack(const Kit& kit,
                              const StackProgram& program,
                              const std::string& tree) {
  const Lock lock(kit.build);
  return build_stack(kit, program, stage_finished_stack(kit, program, tree).submission);
}

StackFiles files_of_finished_stack(const Kit& kit,
                                   const StackProgram& program,
                                   const std::string& tree) {
  const StagedStack staged = stage_finished_stack(kit, program, tree);
  return {staged.submission, ids_of(staged.own)};
}

BuiltStack build_stack_so_far(const Kit& kit,
                              const StackProgram& program,
                              const std::string& tree,
                              const LabSpec* asked) {
  const Lock lock(kit.build);
  const StagedStack staged = stage_stack(kit, program, tree, asked);
  return {.program = build_stack(kit, program, staged.submission), .own_labs = ids_of(staged.own)};
}

int run_stack(const Kit& kit,
              const LabSpec& lab,
              const std::string& command,
              const std::string& tree,
              const std::vector<std::string>& arguments) {
  const fs::path program = build_finished_stack(kit, program_of_stack(kit, lab, command), tree);
  std::signal(SIGINT, SIG_IGN);
  return run_in_foreground(program, arguments, {command, tree, lab.id});
}

}  // namespace kv::grader

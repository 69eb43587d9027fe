#include "grader/desk/predict/predict_programs.h"

#include <iostream>

#include "base/kit/closed_labs.h"
#include "grader/engine/variations/variation.h"

namespace kv::grader {
namespace {

constexpr std::string_view kRefusal = "script: ";  // begins the line of harness/predict_script.h

// A copy: the next bug is built in the same place.
fs::path build_bug(const Kit& kit,
                   const LabSpec& lab,
                   const std::string& name,
                   ScratchBuild& build) {
  const std::string target = "lab" + lab.id + "_predict";
  if (is_closed(kit, lab))
    return build.build(lab, (kit.root / "solution").string(), target + "_bug-" + name);
  const fs::path tree = write_variation(kit, lab, known_bug(kit, lab, name));
  const fs::path built = build.build(lab, tree.string(), target);
  const fs::path copy = built.string() + "-" + name;
  fs::copy_file(built, copy, fs::copy_options::overwrite_existing);
  return copy;
}

// Why not staged, if there is something already: then the next run need not compile a bug again.
fs::path build_solution(const Kit& kit, const LabSpec& lab, ScratchBuild& build) {
  const bool is_staged = fs::exists(build.stage() / lab.folder);
  const fs::path tree = is_staged ? build.stage() : kit.root / "solution";
  return build.build(lab, tree.string(), "lab" + lab.id + "_predict_solution");
}

std::string refusal_in(const Outcome& outcome) {
  for (const std::string& line : split_lines(outcome.output)) {
    if (line.starts_with(kRefusal)) return line.substr(kRefusal.size());
  }
  return "it needs more time or memory than a script may take";
}

}  // namespace

PredictPrograms::PredictPrograms(const Kit& kit,
                                 const LabSpec& lab,
                                 const std::vector<PredictQuestion>& questions,
                                 ScratchBuild& build)
    : limits_{.cpu_seconds = 2} {
  if (!lab.is_cuda()) limits_.memory_bytes = kit.manifest.memory_bytes;
  for (const PredictQuestion& question : questions) {
    if (question.is_counterexample())
      bugs_[question.bug] = build_bug(kit, lab, question.bug, build);
  }
  solution_ = build_solution(kit, lab, build);
}

Printed PredictPrograms::solution_prints(const std::string& script) const {
  const Outcome outcome = run_script(solution_, script);
  if (!outcome.ok()) return {.refusal = refusal_in(outcome)};
  return {.lines = split_lines(outcome.output)};
}

std::vector<std::string> PredictPrograms::bug_prints(const std::string& bug,
                                                     const std::string& script) const {
  const Outcome outcome = run_script(bugs_.at(bug), script);
  std::vector<std::string> lines = split_lines(outcome.output);
  if (!outcome.ok()) lines.push_back(outcome.timed_out ? "(it does not end)" : "(crash)");
  return lines;
}

Outcome PredictPrograms::run_script(const fs::path& program, const std::string& script) const {
  return run({.argv = {program.string(), script}, .limits = limits_});
}

PredictPrograms build_predict_programs(const Kit& kit,
                                       const LabSpec& lab,
                                       const std::vector<PredictQuestion>& questions) {
  refuse_other_system(kit, lab);
  const Lock lock(kit.build);
  ScratchBuild build(kit, {}, "predict");
  if (!fs::exists(build.build_tree().program("lab" + lab.id + "_predict_solution"))) {
    std::cerr << "lab: building what the scripts of lab " << lab.id << " need, once; this takes "
              << (lab.is_cuda() ? "a minute" : "some seconds")
              << ", or more on a busy machine ...\n";
  }
  return {kit, lab, questions, build};
}

}  // namespace kv::grader

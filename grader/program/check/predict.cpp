// The predict questions of each README: what it prints as an answer is what the solution prints.

#include "grader/program/check/predict_sessions.h"

namespace kv::grader {
namespace {

void check_answer(const LabSpec& lab,
                  const PredictQuestion& question,
                  const PredictPrograms& programs,
                  Checks& checks) {
  const std::string name = "lab " + lab.id + ", question " + std::to_string(question.number);
  const Printed right = programs.solution_prints(question.script);
  const std::string printed = join(right.lines, "\n") + "\n" + right.refusal;
  if (!question.is_counterexample()) {
    checks.expect(question.answer == printed, name + ": the printed answer is right",
                  "the solution prints:\n" + printed);
    return;
  }
  const bool differs = programs.bug_prints(question.bug, question.script) != right.lines;
  checks.expect(right.refusal.empty() && differs, name + " shows the bug " + question.bug,
                "both print:\n" + printed);
}

}  // namespace

void check_predict(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    const std::vector<PredictQuestion> questions = predict_questions(kit, lab);
    const PredictPrograms programs(kit, lab, questions, build);
    for (const PredictQuestion& question : questions) check_answer(lab, question, programs, checks);
    const auto num_counterexamples =
        std::ranges::count_if(questions, &PredictQuestion::is_counterexample);
    checks.expect(num_counterexamples >= 1 && std::ssize(questions) >= 3 + num_counterexamples,
                  "lab " + lab.id + ": three predict questions and a counterexample, or more");
    check_sessions(lab, questions, programs, checks);
  }
}

}  // namespace kv::grader

#include "grader/program/predict/predict_command.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "grader/program/base/errors.h"
#include "grader/program/predict/predict_session.h"
#include "grader/program/submission/submission.h"

namespace kv::grader {
namespace {

void refuse_unknown(const LabSpec& lab,
                    const std::vector<PredictQuestion>& questions,
                    const std::vector<int>& numbers) {
  std::vector<std::string> known;
  for (const PredictQuestion& question : questions)
    known.push_back(std::to_string(question.number));
  if (known.empty()) throw UsageError("the README of lab " + lab.id + " has no predict questions");
  for (const int number : numbers) {
    if (std::ranges::count(known, std::to_string(number)) > 0) continue;
    throw UsageError("lab " + lab.id + " has no question " + std::to_string(number) +
                     "; its questions are " + join(known, ", "));
  }
}

std::vector<PredictQuestion> chosen_questions(const Kit& kit,
                                              const LabSpec& lab,
                                              const std::vector<int>& numbers) {
  std::vector<PredictQuestion> questions = predict_questions(kit, lab);
  refuse_unknown(lab, questions, numbers);
  if (!numbers.empty()) {
    std::erase_if(questions, [&](const PredictQuestion& question) {
      return std::ranges::count(numbers, question.number) == 0;
    });
  }
  return questions;
}

// A copy that is handed out may have stubs in the place of the solution.
void refuse_without_solution(const Kit& kit, const LabSpec& lab) {
  for (const std::string& file : lab.files) {
    if (open_steps(kit.solution_text(lab, file)).empty()) continue;
    throw UsageError("this copy of the kit has no solution of lab " + lab.id +
                     " that could compute the answers; compare with \"Answers\" in labs/" +
                     lab.folder + "/README.md");
  }
}

// Locked only while it builds: a student thinks for a long time, and may grade meanwhile.
PredictPrograms build_programs(const Kit& kit,
                               const LabSpec& lab,
                               const std::vector<PredictQuestion>& questions) {
  const Lock lock(kit.build);
  ScratchBuild build(kit, {}, "predict");
  if (!fs::exists(build.build_tree().program("lab" + lab.id + "_predict_solution"))) {
    std::cerr << "lab: building what the questions of lab " << lab.id
              << " need, once; this takes some seconds ...\n";
  }
  return {kit, lab, questions, build};
}

}  // namespace

int predict_command(const Kit& kit, const PredictOptions& options) {
  const LabSpec& lab = kit.manifest.lab(options.lab);
  const std::vector<PredictQuestion> questions = chosen_questions(kit, lab, options.questions);
  refuse_without_solution(kit, lab);
  const PredictPrograms programs = build_programs(kit, lab, questions);
  const std::string prompt = ::isatty(STDIN_FILENO) != 0 ? "> " : "";
  PredictSession session(lab, programs, std::cin, std::cout, prompt);
  return session.ask(questions) ? kExitGraded : kExitNotFull;
}

}  // namespace kv::grader

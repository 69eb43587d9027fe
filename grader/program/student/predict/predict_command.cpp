#include "grader/program/student/predict/predict_command.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "common/errors.h"
#include "grader/program/student/predict/predict_session.h"

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

}  // namespace

int predict_command(const Kit& kit, const PredictOptions& options) {
  const LabSpec& lab = kit.manifest.lab(options.lab);
  const std::vector<PredictQuestion> questions = chosen_questions(kit, lab, options.questions);
  const PredictPrograms programs = build_predict_programs(kit, lab, questions);
  const std::string prompt = ::isatty(STDIN_FILENO) != 0 ? "> " : "";
  PredictSession session(lab, programs, std::cin, std::cout, prompt);
  return session.ask(questions) ? kExitGraded : kExitNotFull;
}

}  // namespace kv::grader

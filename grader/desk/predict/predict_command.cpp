#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/commands/command_line.h"
#include "base/text/errors.h"
#include "grader/desk/predict/predict_session.h"

namespace kv::grader {
namespace {

struct PredictOptions {
  std::string lab = {};
  std::vector<int> questions = {};  // their numbers; empty: all
};

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

void declare_predict(CommandForm& form, PredictOptions& options) {
  form.argument("LAB", options.lab, "the lab: 1, 01 or 01-free-queue").required();
  form.option("--question", options.questions,
              "only this question, or several, as 2,4; all if none is given")
      .comma_separated()
      .one_value_a_time();
  form.footer(
      "Asks each question of the lab's README, \"Predict the state\", and shows no answer before\n"
      "yours. Type what the script prints, line by line, then an empty line. ? shows the answer, "
      "and\n"
      "so does an empty line alone; q ends all. Small and capital letters, blanks, commas, "
      "brackets\n"
      "and # make no difference. The solution runs the same script, and you see the first line in\n"
      "which your answer differs from what it prints, and why.\n"
      "Where a classmate's code has a bug, you write the script. It runs on that code and on the\n"
      "solution, and is right if they print different lines.\n"
      "A file can hold the answers, in the same form: ./lab predict 01 < answers.txt\n"
      "exit codes: 0 all answers are right, 1 not all are, 2 wrong use or a missing tool,\n"
      "3 the kit itself is broken, or the machine refuses what it needs");
}

int predict_command(const Kit& kit, const PredictOptions& options) {
  const LabSpec& lab = kit.manifest.lab(options.lab);
  const std::vector<PredictQuestion> questions = chosen_questions(kit, lab, options.questions);
  const PredictPrograms programs = build_predict_programs(kit, lab, questions);
  const std::string prompt = ::isatty(STDIN_FILENO) != 0 ? "> " : "";
  PredictSession session(lab, programs, std::cin, std::cout, prompt);
  return session.ask(questions) ? kExitGraded : kExitNotFull;
}

}  // namespace

void add_predict_command(CommandLine& line) {
  line.add<PredictOptions>("predict", declare_predict, predict_command);
}

}  // namespace kv::grader

// The predict questions of each README, those of its exam, and its worked example: what is printed
// is what the solution prints.

#include <algorithm>

#include "base/kit/json.h"
#include "grader/desk/pages/worked_example.h"
#include "grader/proof/check/documents.h"
#include "grader/proof/check/parts_of_groups.h"

namespace kv::grader {
namespace {

// page: what asks, as "lab 01".
void check_answer(const std::string& page,
                  const PredictQuestion& question,
                  const PredictPrograms& programs,
                  Checks& checks) {
  const std::string name = page + ", question " + std::to_string(question.number);
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

// The free lists of the table "A worked example", as "[3 1 2]".
std::vector<std::string> lists_in_example(const Kit& kit, const LabSpec& lab) {
  std::vector<std::string> lists;
  bool is_example = false;
  for (const std::string& line : split_lines(read_file(kit.lab_folder(lab) / "README.md"))) {
    if (line.starts_with("## ")) is_example = line == "## A worked example";
    for (const std::string& cell : table_cells(line)) {
      if (is_example && cell.starts_with("`[") && cell.ends_with("]`"))
        lists.push_back(cell.substr(1, cell.size() - 2));
    }
  }
  return lists;
}

std::string free_list(const std::string& event) {
  const Json free = Json::parse(event)["state"]["free"];
  std::vector<std::string> ids;
  for (const Json& id : free) ids.push_back(id.dump());
  return "[" + join(ids, " ") + "]";
}

// A row of the table may stand for several calls.
void check_worked_example(const Kit& kit,
                          const LabSpec& lab,
                          const PredictPrograms& programs,
                          Checks& checks) {
  const std::vector<pages::ExampleLine> example = pages::worked_example(kit, lab);
  if (example.empty()) return;
  const pages::EventLog log = pages::log_of_example(example, programs);
  const std::vector<std::string> lists = lists_in_example(kit, lab);
  std::size_t num_found = 0;
  for (const std::string& event : split_lines(log.lines)) {
    if (num_found < lists.size() && free_list(event) == lists[num_found]) ++num_found;
  }
  const std::string what = lists.empty() ? "runs its example" : "shows the README's worked example";
  checks.expect(num_found == lists.size(), "lab " + lab.id + ": ./lab play " + what,
                num_found < lists.size() ? "no call leaves free " + lists[num_found] : "");
}

}  // namespace

void check_predict(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    const std::vector<PredictQuestion> questions = predict_questions(kit, lab);
    const std::vector<PredictQuestion> exam = exam_questions(kit, lab);
    std::vector<PredictQuestion> both = questions;
    both.insert(both.end(), exam.begin(), exam.end());
    const PredictPrograms programs(kit, lab, both, build);
    for (const PredictQuestion& question : questions)
      check_answer("lab " + lab.id, question, programs, checks);
    for (const PredictQuestion& question : exam)
      check_answer("the exam of lab " + lab.id, question, programs, checks);
    const auto num_counterexamples =
        std::ranges::count_if(questions, &PredictQuestion::is_counterexample);
    checks.expect(num_counterexamples >= 1 && std::ssize(questions) >= 3 + num_counterexamples,
                  "lab " + lab.id + ": three predict questions and a counterexample, or more");
    check_sessions(lab, questions, programs, checks);
    check_worked_example(kit, lab, programs, checks);
  }
}

}  // namespace kv::grader

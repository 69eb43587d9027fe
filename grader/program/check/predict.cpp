#include <map>

#include "grader/program/check.h"
#include "grader/program/check/variation.h"
#include "grader/program/errors.h"

namespace kv::grader {
namespace {

// Fenced blocks of a README by what stands behind the opening fence: "predict 1" -> its lines.
std::map<std::string, std::string> fenced_blocks(const std::string& readme) {
  std::map<std::string, std::string> blocks;
  std::string name;
  bool is_inside = false;
  for (const std::string& line : split_lines(readme)) {
    if (line.starts_with("```")) {
      is_inside = !is_inside;
      name = line.substr(3);
    } else if (is_inside) {
      blocks[name] += line + "\n";
    }
  }
  return blocks;
}

std::string answer(TrialTree& trial, const LabSpec& lab, const std::string& script) {
  const std::string target = "lab" + lab.id + "_predict";
  const Outcome built = trial.build(target);
  if (!built.ok()) throw KitBroken(first_error(built.output));
  const Outcome outcome =
      run({.argv = {trial.program(target).string(), script}, .limits = Limits{.cpu_seconds = 2}});
  return outcome.ok() ? outcome.output : outcome.output + "(crash)";
}

const Variation& find_mistake(const std::vector<Variation>& mistakes, const std::string& name) {
  for (const Variation& mistake : mistakes) {
    if (mistake.name == name) return mistake;
  }
  throw KitBroken("a counterexample names the mistake \"" + name + "\", which grader/wrong lacks");
}

// "counterexample 4 remove-keeps-links": a script that tells the mistake from the solution.
void check_counterexample(const Kit& kit,
                          const LabSpec& lab,
                          const std::string& block,
                          const std::string& script,
                          Checks& checks) {
  TrialTree trial(kit, {}, "check");
  trial.grade(lab, "solution", {});
  const std::string right = answer(trial, lab, script);
  const auto mistakes = load_variations(kit, lab, "wrong");
  const Variation& mistake = find_mistake(mistakes, block.substr(block.rfind(' ') + 1));
  trial.grade(lab, write_variation(kit, lab, mistake), {});
  const std::string wrong = answer(trial, lab, script);
  checks.expect(right != wrong, "lab " + lab.id + " " + block, "both print:\n" + right);
}

}  // namespace

void check_predict(const Kit& kit, Checks& checks) {
  for (const LabSpec& lab : kit.manifest.labs) {
    TrialTree trial(kit, {}, "check");
    trial.grade(lab, "solution", {});
    const auto blocks = fenced_blocks(read_file(kit.lab_folder(lab) / "README.md"));
    int num_questions = 0;
    int num_counterexamples = 0;
    for (const auto& [name, text] : blocks) {
      if (name.starts_with("predict ")) {
        ++num_questions;
        const auto printed = blocks.find("answer " + name.substr(8));
        const std::string actual = answer(trial, lab, text);
        checks.expect(printed != blocks.end() && printed->second == actual,
                      "lab " + lab.id + " " + name + ": the printed answer is true",
                      "the solution says:\n" + actual);
      } else if (name.starts_with("counterexample ")) {
        ++num_counterexamples;
        check_counterexample(kit, lab, name, text, checks);
      }
    }
    checks.expect(num_questions >= 3 && num_counterexamples >= 1,
                  "lab " + lab.id + ": three predict questions and a counterexample, or more");
  }
}

}  // namespace kv::grader

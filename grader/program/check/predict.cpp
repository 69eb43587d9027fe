#include <map>

#include "grader/program/base/errors.h"
#include "grader/program/check/check.h"
#include "grader/program/check/variation.h"

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

// What `tree` answers.
std::string answer(const Kit& kit,
                   const LabSpec& lab,
                   const std::string& tree,
                   const std::string& script) {
  ScratchBuild build = shared_scratch_build(kit);
  const fs::path program = build.build(lab, tree, "lab" + lab.id + "_predict");
  constexpr Limits kLimits{.cpu_seconds = 2};
  const Outcome outcome = run({.argv = {program.string(), script}, .limits = kLimits});
  return outcome.ok() ? outcome.output : outcome.output + "(crash)";
}

const Variation& find_mistake(const std::vector<Variation>& mistakes, const std::string& name) {
  for (const Variation& mistake : mistakes) {
    if (mistake.name == name) return mistake;
  }
  throw KitBroken("a counterexample names the mistake \"" + name +
                  "\", which known_bugs.json lacks");
}

// "counterexample 4 remove-keeps-links": a script that tells the mistake from the solution.
void check_counterexample(const Kit& kit,
                          const LabSpec& lab,
                          const std::string& block,
                          const std::string& script,
                          Checks& checks) {
  const std::string right = answer(kit, lab, "solution", script);
  const auto mistakes = load_variations(kit, lab, "known_bugs");
  const Variation& mistake = find_mistake(mistakes, block.substr(block.rfind(' ') + 1));
  const std::string wrong = answer(kit, lab, write_variation(kit, lab, mistake), script);
  checks.expect(right != wrong, "lab " + lab.id + " " + block, "both print:\n" + right);
}

}  // namespace

void check_predict(const Kit& kit, Checks& checks) {
  for (const LabSpec& lab : kit.manifest.labs) {
    const auto blocks = fenced_blocks(read_file(kit.lab_folder(lab) / "README.md"));
    int num_questions = 0;
    int num_counterexamples = 0;
    for (const auto& [name, text] : blocks) {
      if (name.starts_with("predict ")) {
        ++num_questions;
        const auto printed = blocks.find("answer " + name.substr(8));
        const std::string actual = answer(kit, lab, "solution", text);
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

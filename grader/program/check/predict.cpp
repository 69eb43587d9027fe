#include <map>

#include "grader/program/base/errors.h"
#include "grader/program/check/check.h"
#include "grader/program/check/variation.h"

namespace kv::grader {
namespace {

// The fenced blocks of a README, by the text after the opening fence: "predict 1" -> its lines.
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

// What the predict program prints, built from `tree`.
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

const Variation& find_bug(const std::vector<Variation>& bugs, const std::string& name) {
  for (const Variation& bug : bugs) {
    if (bug.name == name) return bug;
  }
  throw KitBroken("a counterexample names the bug \"" + name + "\", which known_bugs.json lacks");
}

// "counterexample 4 remove-keeps-links": a script on which the bug and the solution differ.
void check_counterexample(const Kit& kit,
                          const LabSpec& lab,
                          const std::string& block,
                          const std::string& script,
                          Checks& checks) {
  const std::string right = answer(kit, lab, "solution", script);
  const auto bugs = load_variations(kit, lab, "known_bugs");
  const Variation& bug = find_bug(bugs, block.substr(block.rfind(' ') + 1));
  const std::string wrong = answer(kit, lab, write_variation(kit, lab, bug), script);
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
                      "lab " + lab.id + " " + name + ": the printed answer is right",
                      "the solution prints:\n" + actual);
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

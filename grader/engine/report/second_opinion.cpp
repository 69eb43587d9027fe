#include <random>

#include "base/kit/predict_questions.h"
#include "base/text/errors.h"
#include "grader/engine/report/grading_run.h"

namespace kv::grader {
namespace {

using Script = std::vector<std::string>;  // calls; the first one makes the object

constexpr int kNumScripts = 40;
constexpr double kCpuSeconds = 2;

std::vector<Script> scripts_of_questions(const Kit& kit, const LabSpec& lab) {
  std::vector<Script> scripts;
  for (const PredictQuestion& question : predict_questions(kit, lab))
    if (!question.is_extra) scripts.push_back(split_lines(question.script));
  return scripts;
}

// The calls of two scripts, each in its order, on the object of the first; some are left out, and
// some are there twice.
Script mixed(const Script& first, const Script& second, std::mt19937_64& random) {
  Script script = {first.front()};
  std::size_t i = 1, j = 1;
  while (i < first.size() || j < second.size()) {
    const bool takes_first = j >= second.size() || (i < first.size() && random() % 2 == 0);
    const std::string& call = takes_first ? first[i++] : second[j++];
    const auto fate = random() % 8;
    if (fate > 0) script.push_back(call);
    if (fate == 1) script.push_back(call);
  }
  return script;
}

std::string text_of(const Outcome& outcome) {
  if (outcome.timed_out) return "(it does not end)";
  return outcome.signal != 0 ? "(it crashes)" : join(split_lines(printable(outcome.output)), "; ");
}

}  // namespace

std::string second_opinion(const Kit& kit,
                           BuildTree& tree,
                           const LabSpec& lab,
                           std::uint64_t seed) {
  const std::vector<Script> scripts = scripts_of_questions(kit, lab);
  const std::string target = "lab" + lab.id + "_predict";
  if (scripts.empty()) return "";
  if (!tree.build(target).ok()) return "the second opinion: " + target + " does not build";
  if (!tree.build(target + "_solution").ok()) throw KitBroken(target + "_solution does not build");
  std::mt19937_64 random(seed);
  for (int i = 0; i < kNumScripts; ++i) {
    const Script script =
        mixed(scripts[random() % scripts.size()], scripts[random() % scripts.size()], random);
    const auto prints = [&](const std::string& program) {
      const std::vector<std::string> argv = {tree.program(program).string(), join(script, "\n")};
      return text_of(run(isolated_command(kit, lab, argv, kCpuSeconds, {})));
    };
    const std::string yours = prints(target), right = prints(target + "_solution");
    if (yours != right)
      return "the second opinion: full points, but on the calls \"" + join(script, "; ") +
             "\" it prints \"" + yours + "\" and not \"" + right + "\"";
  }
  return "";
}

}  // namespace kv::grader

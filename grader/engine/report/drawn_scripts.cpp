#include "grader/engine/report/drawn_scripts.h"

#include "base/kit/predict_questions.h"
#include "base/text/text.h"

namespace kv::grader {
namespace {

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

}  // namespace

DrawnScripts::DrawnScripts(const Kit& kit, const LabSpec& lab, std::uint64_t seed) : random_(seed) {
  for (const PredictQuestion& question : predict_questions(kit, lab))
    if (!question.is_extra && !question.is_cost) scripts_.push_back(split_lines(question.script));
}

Script DrawnScripts::next() {
  const Script& first = any();
  const Script& second = any();
  return mixed(first, second, random_);
}

}  // namespace kv::grader

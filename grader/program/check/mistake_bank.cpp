#include "grader/program/check/mistake_bank.h"

#include <algorithm>

#include "grader/program/mutate/code.h"
#include "grader/program/mutate/schemata.h"

namespace kv::grader {
namespace {

using mutate::Code;
using mutate::Mutant;

std::string_view body(const Code& code) {
  return code.source.substr(code.begin, code.end - code.begin);
}

// The text before the body, from the end of the one before.
std::string_view text_before(const std::vector<Code>& codes, std::size_t i) {
  const std::size_t begin = i == 0 ? 0 : codes[i - 1].end;
  return codes[i].source.substr(begin, codes[i].begin - begin);
}

// A mutant for each body that differs. None where anything else differs.
std::vector<Mutant> changed_bodies(const std::string& source,
                                   const std::string& changed,
                                   const std::string& file,
                                   int id) {
  const std::vector<Code> before = mutate::code_of(source);
  const std::vector<Code> after = mutate::code_of(changed);
  if (before.empty() || before.size() != after.size() ||
      source.substr(before.back().end) != changed.substr(after.back().end)) {
    return {};
  }
  std::vector<Mutant> mutants;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (text_before(before, i) != text_before(after, i)) return {};
    if (body(before[i]) == body(after[i])) continue;
    mutants.push_back({.id = id,
                       .file = file,
                       .function = before[i].function,
                       .op = "mistake",
                       .line = 0,
                       .original = {},
                       .mutated = {},
                       .body_begin = before[i].begin,
                       .body_end = before[i].end,
                       .body = std::string(body(after[i]))});
  }
  return mutants;
}

std::vector<Mutant> mutants_of_mistake(const Kit& kit,
                                       const LabSpec& lab,
                                       const Variation& mistake,
                                       int id) {
  return changed_bodies(solution_text(kit, lab, mistake.file), varied_text(kit, lab, mistake),
                        mistake.file, id);
}

// 0 is the solution as it is.
int id_of(std::size_t mistake) {
  return static_cast<int>(mistake) + 1;
}

}  // namespace

MistakeBank::MistakeBank(const Kit& kit, const LabSpec& lab)
    : kit_(kit),
      lab_(lab),
      common_tree_(kit.build / "mistakes"),
      mistakes_(load_variations(kit, lab, "known_bugs")) {
  const auto others = std::ranges::stable_partition(mistakes_, [&](const Variation& mistake) {
    return !mutants_of_mistake(kit, lab, mistake, 0).empty();
  });
  num_in_common_ = mistakes_.size() - others.size();
  write_common_tree();
}

void MistakeBank::write_common_tree() const {
  for (const std::string& file : lab_.files) {
    std::set<std::string> includes;
    std::vector<Mutant> mutants;
    for (std::size_t i = 0; i < num_in_common_; ++i) {
      if (mistakes_[i].file != file) continue;
      includes.insert(mistakes_[i].includes);
      std::ranges::copy(mutants_of_mistake(kit_, lab_, mistakes_[i], id_of(i)),
                        std::back_inserter(mutants));
    }
    write_file(common_tree_ / lab_.folder / file,
               join({includes.begin(), includes.end()}, "") +
                   mutate::schemata(solution_text(kit_, lab_, file), file, mutants));
  }
}

LabResult MistakeBank::grade(std::size_t mistake, TrialTree& trial) const {
  RunOptions options{.seed = kit_.manifest.seed};
  if (mistake >= num_in_common_) {
    return trial.grade(lab_, write_variation(kit_, lab_, mistakes_[mistake]), options);
  }
  options.environment = {{"KV_MUTANT", std::to_string(id_of(mistake))}};
  return trial.grade(lab_, common_tree_, options);
}

}  // namespace kv::grader

#include "grader/program/check/bug_trees.h"

#include <algorithm>

#include "grader/program/base/errors.h"
#include "grader/program/mutate/function_body.h"
#include "grader/program/mutate/schemata.h"

namespace kv::grader {
namespace {

using mutate::FunctionBody;
using mutate::Mutant;

std::string_view body(const FunctionBody& code) {
  return code.source.substr(code.begin, code.end - code.begin);
}

// The text before the body, from the end of the one before.
std::string_view text_before(const std::vector<FunctionBody>& codes, std::size_t i) {
  const std::size_t begin = i == 0 ? 0 : codes[i - 1].end;
  return codes[i].source.substr(begin, codes[i].begin - begin);
}

// A mutant for each body that differs. None if anything else differs.
std::vector<Mutant> changed_bodies(const std::string& source,
                                   const std::string& changed,
                                   const std::string& file,
                                   int id) {
  const std::vector<FunctionBody> before = mutate::function_bodies(source);
  const std::vector<FunctionBody> after = mutate::function_bodies(changed);
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
                       .op = "known bug",
                       .line = 0,
                       .original = {},
                       .mutated = {},
                       .body_begin = before[i].begin,
                       .body_end = before[i].end,
                       .body = std::string(body(after[i]))});
  }
  return mutants;
}

std::vector<Mutant> mutants_of_bug(const Kit& kit,
                                   const LabSpec& lab,
                                   const Variation& bug,
                                   int id) {
  return changed_bodies(solution_text(kit, lab, bug.file), varied_text(kit, lab, bug), bug.file,
                        id);
}

// 0 is the unchanged solution.
int id_of(std::size_t bug) {
  return static_cast<int>(bug) + 1;
}

bool is_history(const TestSpec& test) {
  return test.group == "history";
}

}  // namespace

BugTrees::BugTrees(const Kit& kit, const LabSpec& lab)
    : kit_(kit),
      lab_(lab),
      without_histories_(lab),
      common_tree_(kit.build / "known-bugs"),
      bugs_(load_variations(kit, lab, "known_bugs")) {
  std::erase_if(without_histories_.tests, is_history);
  std::ranges::copy(load_variations(kit, lab, "near_misses"), std::back_inserter(bugs_));
  const auto others = std::ranges::stable_partition(
      bugs_, [&](const Variation& bug) { return !mutants_of_bug(kit, lab, bug, 0).empty(); });
  num_in_common_ = bugs_.size() - others.size();
  write_common_tree();
}

void BugTrees::write_common_tree() const {
  for (const std::string& file : lab_.files) {
    std::set<std::string> includes;
    std::vector<Mutant> mutants;
    for (std::size_t i = 0; i < num_in_common_; ++i) {
      if (bugs_[i].file != file) continue;
      includes.insert(bugs_[i].includes);
      std::ranges::copy(mutants_of_bug(kit_, lab_, bugs_[i], id_of(i)),
                        std::back_inserter(mutants));
    }
    write_file(common_tree_ / lab_.folder / file,
               join({includes.begin(), includes.end()}, "") +
                   mutate::schemata(solution_text(kit_, lab_, file), file, mutants));
  }
}

RunOptions BugTrees::options_for(std::size_t bug) const {
  RunOptions options{.seed = kit_.manifest.seed};
  if (!bugs_[bug].shrinks_to) options.environment["KV_SHRINK"] = "0";
  if (bug < num_in_common_) options.environment["KV_MUTANT"] = std::to_string(id_of(bug));
  return options;
}

bool BugTrees::names_a_history(const Variation& bug) const {
  return bug.shrinks_to || std::ranges::any_of(lab_.tests, [&](const TestSpec& test) {
           return is_history(test) &&
                  (test.name == bug.killed_by || std::ranges::count(bug.only_by, test.name) > 0);
         });
}

// Builds at the first call only.
LabResult BugTrees::grade_in_common(std::size_t bug, const LabSpec& lab, ScratchBuild& build) {
  if (!common_program_) {
    LabResult result = build.grade(lab, common_tree_, options_for(bug));
    auto program = blame::MixedProgram::build(kit_, build.build_tree(), common_tree_, lab_);
    if (!program) throw KitBroken("lab " + lab_.id + ": no program to search causes with");
    common_program_.emplace(*std::move(program));
    common_units_ = blame::changed_units(kit_, lab_, common_tree_);
    return result;
  }
  return {.lab = &lab,
          .state = LabState::kInProgress,
          .tests = run_tests(kit_, build.build_tree(), lab, options_for(bug))};
}

LabResult BugTrees::grade(std::size_t bug, ScratchBuild& build, const blame::SearchOptions& how) {
  const LabSpec& lab = names_a_history(bugs_[bug]) ? lab_ : without_histories_;
  const RunOptions options = options_for(bug);
  if (bug < num_in_common_) {
    LabResult result = grade_in_common(bug, lab, build);
    blame::add_causes(*common_program_, common_units_, options, how, result);
    return result;
  }
  const fs::path tree = write_variation(kit_, lab_, bugs_[bug]);
  LabResult result = build.grade(lab, tree, options);
  blame::add_causes(kit_, build.build_tree(), tree, options, how, result);
  return result;
}

}  // namespace kv::grader

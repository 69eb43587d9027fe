#include "grader/proof/check/bug_trees.h"

#include <algorithm>
#include <iterator>

#include "base/text/errors.h"
#include "grader/engine/cause/search.h"
#include "grader/proof/check/partial_solution.h"

namespace kv::grader {
namespace {

constexpr double kSlowSeconds = 0.03;  // a process takes a few milliseconds
constexpr double kTogetherCpuSeconds = 10;

// In the common tree.
int variant_of(std::size_t bug) {
  return static_cast<int>(bug) + 1;
}

bool is_history(const TestSpec& test) {
  return test.group == "history";
}

std::set<std::string> slow_ones(const std::vector<TestResult>& results) {
  std::set<std::string> names;
  for (const TestResult& test : results)
    if (test.seconds > kSlowSeconds) names.insert(test.spec->name);
  return names;
}

// By killed_by or only_by.
bool is_named(const Variation& bug, const TestSpec& test) {
  return test.name == bug.killed_by || std::ranges::count(bug.only_by, test.name) > 0;
}

}  // namespace

BugTrees::BugTrees(const Kit& kit, const LabSpec& lab, Tests tests, Work work)
    : kit_(kit),
      lab_(lab),
      tests_(tests),
      work_(work),
      graded_(lab),
      common_tree_(kit.build / "known-bugs") {
  if (tests != Tests::kAll)
    for (const Signature& signature : load_signatures(kit, lab))
      signatures_[signature.name] = signature;
  if (work == Work::kCoreOnly)
    for (const std::string& file : lab.files)
      core_only_texts_[file] = core_only_text(kit, lab, file);
  JointTree common(kit, lab);
  std::vector<Variation> others;
  for (const char* kind : {"known_bugs", "near_misses"}) {
    for (const Variation& bug : load_variations(kit, lab, kind))
      (add_to(common, bug) ? bugs_ : others).push_back(bug);
  }
  num_in_common_ = bugs_.size();
  if (work == Work::kSolution) std::ranges::move(others, std::back_inserter(bugs_));
  common.write(common_tree_);
}

bool BugTrees::add_to(JointTree& common, const Variation& bug) const {
  if (work_ == Work::kCoreOnly) return add_core_only(common, bug);
  return common.add(variant_of(bugs_.size()), bug.file, varied_text(kit_, lab_, bug), bug.includes);
}

bool BugTrees::add_core_only(JointTree& common, const Variation& bug) const {
  const int variant = variant_of(bugs_.size());
  const auto found = core_only_texts_.find(bug.file);
  if (found == core_only_texts_.end() || bug.is_core_only) return false;
  if (found->second.find(bug.old_text) == std::string::npos) return false;
  if (!common.add(variant, bug.file, varied(found->second, bug), bug.includes)) return false;
  for (const auto& [file, text] : core_only_texts_)
    if (file != bug.file) common.add(variant, file, text);
  return true;
}

RunOptions BugTrees::options_for(std::size_t bug) const {
  RunOptions options{.seed = kit_.manifest.seed};
  if (!bugs_[bug].shrinks_to) options.environment["KV_SHRINK"] = "0";
  if (bug < num_in_common_) JointTree::choose(variant_of(bug), options);
  return options;
}

// nullptr: nothing is written of this test.
const std::string* BugTrees::message_written_for(const Variation& bug, const TestSpec& test) const {
  const auto signature = signatures_.find(bug.is_near_miss() ? bug.like : bug.name);
  if (signature == signatures_.end()) return nullptr;
  const auto message = signature->second.failing.find(test.name);
  return message == signature->second.failing.end() ? nullptr : &message->second;
}

bool BugTrees::is_expected_to_fail(const Variation& bug, const TestSpec& test) const {
  return is_named(bug, test) || message_written_for(bug, test) != nullptr;
}

bool BugTrees::is_graded(const Variation& bug, const TestSpec& test) const {
  if (test.name == bug.killed_by) return true;
  // Why not at its time limit: it takes the longest, and signatures agree with or without it.
  if (const std::string* message = message_written_for(bug, test)) return *message != kAtTimeLimit;
  if (is_named(bug, test)) return true;
  if (tests_ == Tests::kFailing && bug.only_by.empty()) return false;
  if (is_history(test)) return bug.shrinks_to.has_value();
  return !bug.only_by.empty() || !slow_tests_.contains(test.name);
}

void BugTrees::build_common(ScratchBuild& build) {
  if (is_common_built_) return;
  RunOptions options{.seed = kit_.manifest.seed};
  JointTree::choose(JointTree::kSolution, options);
  // Why no test: bugs whose messages are the written ones say as much.
  const LabSpec lab = lab_.with_tests(
      [&](const TestSpec& test) { return tests_ != Tests::kFailing && !is_history(test); });
  const LabResult solution = build.grade(lab, common_tree_, options);
  if (const auto failure = solution.first_failure())
    throw KitBroken("lab " + lab_.id + " with no known bug chosen fails " + failure->spec->name);
  if (tests_ == Tests::kExpected) {
    slow_tests_ = slow_ones(solution.tests);
    // Why twice: where a machine stumbles, a quick test is slow, but not a second time.
    const LabSpec slow =
        lab.with_tests([&](const TestSpec& test) { return slow_tests_.contains(test.name); });
    slow_tests_ = slow_ones(run_tests(kit_, build.build_tree(), slow, options));
  }
  is_common_built_ = true;
}

void BugTrees::build_mixed(ScratchBuild& build) {
  if (mixed_ || lab_.is_cuda()) return;
  auto program = cause::MixedProgram::build(kit_, build.build_tree(), common_tree_, lab_);
  if (!program) throw KitBroken("lab " + lab_.id + ": no program to search causes with");
  mixed_.emplace(Mixed{*std::move(program), cause::changed_units(kit_, lab_, common_tree_)});
}

// Tests that are expected to pass run together; if one of them fails, each runs by itself.
std::vector<TestResult> BugTrees::run_in_common(std::size_t bug, ScratchBuild& build) {
  const RunOptions options = options_for(bug);
  BuildTree& tree = build.build_tree();
  const auto is_to_fail = [&](const TestSpec& test) {
    return is_expected_to_fail(bugs_[bug], test);
  };
  std::vector<std::string> others;
  std::vector<TestResult> results;
  for (const TestSpec& test : graded_.tests) {
    if (!is_to_fail(test)) others.push_back(test.name);
    results.push_back({.spec = &test, .verdict = {.status = Status::kPass}});
  }
  const bool others_pass =
      tests_ != Tests::kAll && cause::pass_together(others, [&](const std::string& filter) {
        return run(test_command(kit_, lab_, tree.program("lab" + lab_.id + "_tests"), filter,
                                kTogetherCpuSeconds, options))
            .ok();
      });
  if (!others_pass) return run_tests(kit_, tree, graded_, options);
  const LabSpec named = graded_.with_tests(is_to_fail);
  for (TestResult& result : run_tests(kit_, tree, named, options)) {
    const auto same = std::ranges::find(results, result.spec->name,
                                        [](const TestResult& each) { return each.spec->name; });
    result.spec = same->spec;
    *same = std::move(result);
  }
  return results;
}

LabResult BugTrees::grade(std::size_t bug,
                          ScratchBuild& build,
                          const std::optional<cause::SearchOptions>& how) {
  const RunOptions options = options_for(bug);
  const bool is_common = bug < num_in_common_;
  if (is_common) build_common(build);
  graded_ = lab_.with_tests([&](const TestSpec& test) { return is_graded(bugs_[bug], test); });
  if (is_common) {
    LabResult result{
        .lab = &graded_, .state = LabState::kInProgress, .tests = run_in_common(bug, build)};
    if (how) build_mixed(build);
    if (how && mixed_) cause::add_causes(mixed_->program, mixed_->units, options, *how, result);
    return result;
  }
  is_common_built_ = false;  // Why: this build takes its place.
  mixed_.reset();
  const fs::path tree = write_variation(kit_, lab_, bugs_[bug]);
  LabResult result = build.grade(graded_, tree, options);
  if (how) cause::add_causes(kit_, build.build_tree(), tree, options, *how, result);
  return result;
}

}  // namespace kv::grader

#include "grader/program/check/staircase.h"

#include <algorithm>
#include <set>

#include "grader/program/base/errors.h"
#include "grader/program/check/check.h"
#include "grader/program/check/joint_tree.h"
#include "grader/program/check/mirror.h"

namespace kv::grader {
namespace {

// What replaces a KV_TODO line: the solution, or the first form of what a later step rewrites.
std::vector<std::string> written(const LabSpec& lab,
                                 const Hunk& hunk,
                                 const std::string& last_step) {
  for (const StepSpec& step : lab.steps) {
    const auto first_form = step.first_forms.find(hunk.step);
    if (first_form != step.first_forms.end() && step_before(last_step, step.number))
      return {"  " + first_form->second};
  }
  return hunk.solution_lines;
}

// Later tests are not started. Those of a later step without a stub may also fail: the first forms
// are there, and they must not be enough.
bool is_expected(const LabSpec& lab, const TestResult& test, const std::string& last_step) {
  const Status status = test.verdict.status;
  if (!step_before(last_step, test.spec->step)) return status == Status::kPass;
  const bool may_fail = !lab.step(test.spec->step).has_stub();
  return status == Status::kNotStarted || (may_fail && status == Status::kFail);
}

std::string wrong_tests(const LabResult& result, const std::string& last_step) {
  std::string lines = result.message;
  for (const TestResult& test : result.tests) {
    if (is_expected(*result.lab, test, last_step)) continue;
    lines += test.spec->name + " (step " + test.spec->step + ") is " +
             status_name(test.verdict.status) + ": " + test.verdict.headline + "\n";
  }
  return lines;
}

// The text of a file in the tree that is solved up to a step.
std::string stair_text(const Kit& kit,
                       const LabSpec& lab,
                       const std::string& last_step,
                       const std::string& file) {
  std::string source = read_file(kit.root / "starter" / lab.folder / file);
  for (const Hunk& hunk : hunks_of(kit, lab, file)) {
    if (step_before(last_step, hunk.step)) continue;
    source = replace_all(source, hunk.todo_line + "\n",
                         join(written(lab, hunk, last_step), "\n") + "\n");
  }
  return source;
}

// All stairs of a lab in one tree, each with the number of its step, from 1.
void write_stairs(const Kit& kit, const LabSpec& lab, const fs::path& tree) {
  JointTree stairs(kit, lab);
  int stair = 0;
  for (const StepSpec& step : lab.steps) {
    ++stair;
    for (const std::string& file : lab.files) {
      if (!stairs.add(stair, file, stair_text(kit, lab, step.number, file)))
        throw KitBroken("lab " + lab.id + ": a stub differs outside of its function in " + file);
    }
  }
  stairs.write(tree);
}

// The stairs of a lab, one after the other. A test that takes long runs on its own stair, where it
// passes for the first time, and on the last one, which is the whole lab.
class Staircase {
 public:
  Staircase(const Kit& kit, const LabSpec& lab, ScratchBuild& build)
      : kit_(kit), lab_(lab), build_(build), tree_(kit.build / "stairs") {
    write_stairs(kit, lab, tree_);
  }

  // The next stair: what its tests should not do.
  std::string climb() {
    const std::string& last_step = lab_.steps[num_climbed_].number;
    RunOptions options{.seed = kit_.manifest.seed};
    JointTree::choose(static_cast<int>(++num_climbed_), options);
    const bool is_last = num_climbed_ == lab_.steps.size();
    const LabSpec lab = lab_.with_tests(
        [&](const TestSpec& test) { return is_last || !slow_tests_.contains(test.name); });
    const LabResult result = build_.grade(lab, tree_.string(), options);
    for (const TestResult& test : result.tests)
      if (test.seconds > kSlowSeconds) slow_tests_.insert(test.spec->name);
    return wrong_tests(result, last_step);
  }

 private:
  static constexpr double kSlowSeconds = 0.05;

  const Kit& kit_;
  const LabSpec& lab_;
  ScratchBuild& build_;
  fs::path tree_;
  std::size_t num_climbed_ = 0;
  std::set<std::string> slow_tests_ = {};
};

}  // namespace

void write_stair(const Kit& kit,
                 const LabSpec& lab,
                 const std::string& last_step,
                 const fs::path& tree) {
  for (const std::string& file : lab.files)
    write_file(tree / lab.folder / file, stair_text(kit, lab, last_step, file));
}

void check_staircase(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    Staircase stairs(kit, lab, build);
    for (const StepSpec& step : lab.steps) {
      const std::string wrong = stairs.climb();
      checks.expect(wrong.empty(),
                    "lab " + lab.id + " solved up to " + step.number +
                        ": earlier tests pass, later ones do not",
                    wrong);
    }
  }
}

}  // namespace kv::grader

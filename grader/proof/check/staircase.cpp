#include <algorithm>
#include <set>

#include "base/text/errors.h"
#include "grader/engine/variations/variation.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/joint_tree.h"
#include "grader/proof/check/partial_solution.h"

namespace kv::grader {
namespace {

// How far a lab is solved: up to a step, or up to a part of one.
struct Stair {
  std::string last_step;
  std::size_t last_part = 0;  // 0: the whole step
};

std::vector<Stair> stairs_of(const LabSpec& lab) {
  std::vector<Stair> stairs;
  for (const StepSpec& step : lab.steps) {
    for (std::size_t part = 1; part < step.parts.size(); ++part)
      stairs.push_back({step.number, part});
    stairs.push_back({step.number});
  }
  return stairs;
}

// Later tests are not started. Those of a later step without a stub may also fail: the first forms
// are there, and they must not be enough. In the middle of a step, later tests only do not pass:
// what is missing can make them fail before they reach a stub.
bool is_expected(const LabSpec& lab, const TestResult& test, const Stair& stair) {
  const Status status = test.verdict.status;
  const bool is_later_part = test.spec->step == stair.last_step && stair.last_part > 0 &&
                             (test.spec->part == 0 || test.spec->part > stair.last_part);
  const bool is_later = step_before(stair.last_step, test.spec->step);
  if (!is_later && !is_later_part) return status == Status::kPass;
  if (stair.last_part > 0) return status != Status::kPass;
  const bool may_fail = !lab.step(test.spec->step).has_stub();
  return status == Status::kNotStarted || (may_fail && status == Status::kFail);
}

std::string wrong_tests(const LabResult& result, const Stair& stair) {
  std::string lines = result.message;
  for (const TestResult& test : result.tests) {
    if (is_expected(*result.lab, test, stair)) continue;
    lines += test.spec->name + " (step " + test.spec->step + ") is " +
             status_name(test.verdict.status) + ": " + test.verdict.headline + "\n";
  }
  return lines;
}

// Without the later parts of the last step, which grader/proof/cases/NN-name/parts.txt takes out of
// the solution, the last one first.
std::string stair_text(const Kit& kit,
                       const LabSpec& lab,
                       const Stair& stair,
                       const std::string& file) {
  const auto is_written = [&](const std::string& step) {
    return !step_before(stair.last_step, step);
  };
  std::string text = text_with_steps(kit, lab, is_written, file);
  if (stair.last_part == 0) return text;
  const std::vector<Variation> parts = load_variations(kit, lab, "parts");
  for (std::size_t part = lab.step(stair.last_step).parts.size(); part > stair.last_part; --part) {
    const std::string name = stair.last_step + " part " + std::to_string(part);
    const auto found = std::ranges::find(parts, name, &Variation::name);
    if (found == parts.end()) throw KitBroken("parts.txt of lab " + lab.id + " lacks " + name);
    if (found->file == file) text = varied(text, *found);
  }
  return text;
}

// All stairs of a lab in one tree, numbered from 1.
void write_stairs(const Kit& kit,
                  const LabSpec& lab,
                  const std::vector<Stair>& stairs,
                  const fs::path& tree) {
  JointTree joint(kit, lab);
  int number = 0;
  for (const Stair& stair : stairs) {
    ++number;
    for (const std::string& file : lab.files) {
      if (!joint.add(number, file, stair_text(kit, lab, stair, file)))
        throw KitBroken("lab " + lab.id + ": a stub differs outside of its function in " + file);
    }
  }
  joint.write(tree);
}

// The stairs of a lab, one after the other. A test that takes long runs on its own stair, where it
// passes for the first time, and on the last one, which is the whole lab.
class Staircase {
 public:
  Staircase(const Kit& kit, const LabSpec& lab, ScratchBuild& build)
      : kit_(kit), lab_(lab), build_(build), tree_(kit.build / "stairs") {
    write_stairs(kit, lab, stairs_, tree_);
  }

  const std::vector<Stair>& stairs() const { return stairs_; }

  // The next stair: what its tests should not do.
  std::string climb() {
    const Stair& stair = stairs_[num_climbed_];
    RunOptions options{.seed = kit_.manifest.seed};
    JointTree::choose(static_cast<int>(++num_climbed_), options);
    const bool is_last = num_climbed_ == stairs_.size();
    const LabSpec lab = lab_.with_tests(
        [&](const TestSpec& test) { return is_last || !slow_tests_.contains(test.name); });
    const LabResult result = build_.grade(lab, tree_.string(), options);
    for (const TestResult& test : result.tests)
      if (test.seconds > kSlowSeconds && !test.failed()) slow_tests_.insert(test.spec->name);
    return wrong_tests(result, stair);
  }

 private:
  static constexpr double kSlowSeconds = 0.05;

  const Kit& kit_;
  const LabSpec& lab_;
  ScratchBuild& build_;
  fs::path tree_;
  std::vector<Stair> stairs_ = stairs_of(lab_);
  std::size_t num_climbed_ = 0;
  std::set<std::string> slow_tests_ = {};
};

}  // namespace

void check_staircase(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    Staircase stairs(kit, lab, build);
    for (const Stair& stair : stairs.stairs()) {
      const std::string wrong = stairs.climb();
      const std::string part = ", part " + std::to_string(stair.last_part);
      checks.expect(wrong.empty(),
                    "lab " + lab.id + " solved up to " + stair.last_step +
                        (stair.last_part > 0 ? part : "") +
                        ": earlier tests pass, later ones do not",
                    wrong);
    }
  }
}

}  // namespace kv::grader

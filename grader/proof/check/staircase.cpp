#include <algorithm>
#include <functional>
#include <set>

#include "base/text/errors.h"
#include "grader/engine/submission/stubs.h"
#include "grader/engine/variations/variation.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/joint_tree.h"

namespace kv::grader {
namespace {

// The hunks of `diff starter solution`. Each has to replace exactly one KV_TODO line.
struct Hunk {
  std::string step;       // "1.2"; empty: not a hunk that replaces one KV_TODO line
  std::string todo_line;  // the line it replaces
  std::vector<std::string> solution_lines;
};

// Finishes a hunk: it is valid if it removes exactly one line, and that line is a KV_TODO.
void close(Hunk& hunk, const std::vector<std::string>& starter_lines) {
  if (starter_lines.size() != 1) return;
  const std::vector<std::string> steps = open_steps(starter_lines.front());
  if (steps.size() != 1) return;
  hunk.step = steps.front();
  hunk.todo_line = starter_lines.front();
}

// The hunks of one student file.
std::vector<Hunk> hunks_of(const Kit& kit, const LabSpec& lab, const std::string& file) {
  const fs::path path = fs::path(lab.folder) / file;
  const Outcome diff = run({.argv = {"diff", (kit.root / "starter" / path).string(),
                                     (kit.root / "solution" / path).string()}});
  std::vector<Hunk> hunks;
  std::vector<std::string> starter_lines;
  for (const std::string& line : split_lines(diff.output)) {
    if (line.starts_with("< ")) {
      starter_lines.push_back(line.substr(2));
    } else if (line.starts_with(">")) {
      hunks.back().solution_lines.push_back(line.substr(std::min<std::size_t>(2, line.size())));
    } else if (!line.starts_with("---")) {
      if (!hunks.empty()) close(hunks.back(), starter_lines);
      hunks.emplace_back();
      starter_lines.clear();
    }
  }
  if (!hunks.empty()) close(hunks.back(), starter_lines);
  return hunks;
}

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

// Whether a step, "1.2", is written.
using IsWritten = std::function<bool(const std::string& step)>;

// What replaces a KV_TODO line: the solution, or the first form of what a later step rewrites.
std::vector<std::string> written(const LabSpec& lab,
                                 const Hunk& hunk,
                                 const IsWritten& is_written) {
  for (const StepSpec& step : lab.steps) {
    const auto first_form = step.first_forms.find(hunk.step);
    if (first_form != step.first_forms.end() && !is_written(step.number))
      return {"  " + first_form->second};
  }
  return hunk.solution_lines;
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

// The text of a file in a tree with some of the steps.
std::string text_with(const Kit& kit,
                      const LabSpec& lab,
                      const IsWritten& is_written,
                      const std::string& file) {
  std::string source = read_file(kit.root / "starter" / lab.folder / file);
  for (const Hunk& hunk : hunks_of(kit, lab, file)) {
    if (!is_written(hunk.step)) continue;
    source = replace_all(source, hunk.todo_line + "\n",
                         join(written(lab, hunk, is_written), "\n") + "\n");
  }
  return source;
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
  std::string text = text_with(kit, lab, is_written, file);
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

// The tests that do not pass, a line each.
std::string not_passed(const LabResult& result) {
  std::string lines = result.message;
  for (const TestResult& test : result.tests)
    if (test.verdict.status != Status::kPass)
      lines += test.spec->name + ": " + test.verdict.headline + "\n";
  return lines;
}

}  // namespace

void check_core_alone(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    const auto is_core_step = [&](const std::string& step) {
      return std::ranges::any_of(
          lab.tests, [&](const TestSpec& test) { return test.is_core && test.step == step; });
    };
    const fs::path tree = kit.build / "core-alone";
    for (const std::string& file : lab.files)
      write_file(tree / lab.folder / file, text_with(kit, lab, is_core_step, file));

    const LabSpec core = lab.with_tests([](const TestSpec& test) { return test.is_core; });
    const LabResult result = build.grade(core, tree.string(), {.seed = kit.manifest.seed});
    const int points = result.points(/*core=*/true);
    checks.expect(points == 100, "lab " + lab.id + " with its core steps alone: 100 of 100 points",
                  std::to_string(points) + " points\n" + not_passed(result));
  }
}

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

// Trees with one or two known bugs, and what their report says of the cause
// (grader/proof/cases/causes.json).

#include <algorithm>
#include <functional>

#include "base/kit/json.h"
#include "base/text/errors.h"
#include "grader/proof/check/bug_trees.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/parts_of_groups.h"

namespace kv::grader {
namespace {

struct CauseCase {
  std::string lab;
  std::vector<std::string> bugs;
  std::string test;           // one that fails
  std::string place;          // where its cause is; empty: nothing is said
  std::string copied_header;  // the tree has its own copy of it
  bool waits;                 // each run of the search waits, as on a busy machine

  bool is_known_bug() const { return bugs.size() == 1 && copied_header.empty() && !waits; }
};

std::vector<CauseCase> load_cases(const Kit& kit) {
  const fs::path path = kit.root / "grader" / "proof" / "cases" / "causes.json";
  std::vector<CauseCase> cases;
  try {
    for (const Json& json : Json::parse(read_file(path))) {
      cases.push_back({.lab = json.at("lab"),
                       .bugs = json.at("bugs"),
                       .test = json.at("test"),
                       .place = json.at("cause"),
                       .copied_header = json.value("copied_header", ""),
                       .waits = json.value("waits", false)});
    }
  } catch (const Json::exception& error) {
    throw KitBroken(path.string() + ": " + error.what());
  }
  return cases;
}

constexpr cause::SearchOptions kLongSearch{.cpu_seconds = 20};

// Put at the top of a student's file. Nine tenths of a second pass without processor time in each
// run of the program that searches causes, and in no other.
constexpr const char* kWaiting =
    "#include <unistd.h>\n#include <cstdlib>\n"
    "[[maybe_unused]] static const int waited ="
    " std::getenv(\"KV_STUDENT_SIDE\") != nullptr ? ::usleep(900'000) : 0;\n";

LabResult graded_tree(const Kit& kit,
                      const LabSpec& lab,
                      const CauseCase& one,
                      ScratchBuild& build) {
  std::vector<Variation> bugs;
  for (const Variation& bug : load_variations(kit, lab, "known_bugs")) {
    if (std::ranges::count(one.bugs, bug.name) > 0) bugs.push_back(bug);
  }
  if (one.waits) bugs.front().includes += kWaiting;
  const fs::path tree = write_variations(kit, lab, bugs);
  if (!one.copied_header.empty()) {
    fs::copy_file(kit.lab_folder(lab) / one.copied_header, tree / lab.folder / one.copied_header);
  }
  const RunOptions options{.seed = kit.manifest.seed};
  LabResult result = build.grade(lab, tree, options);
  const cause::SearchOptions how = one.waits ? cause::SearchOptions() : kLongSearch;
  cause::add_causes(kit, build.build_tree(), tree, options, how, result);
  return result;
}

// What a later step rewrites is no mistake until then: the later step is to be written.
void check_blamed(const LabSpec& lab,
                  const CauseCase& one,
                  const LabResult& result,
                  const TestResult& test,
                  Checks& checks) {
  const auto rewrites = std::ranges::find_if(lab.steps, [&](const StepSpec& step) {
    return step.number == one.place && !step.has_stub();
  });
  if (rewrites == lab.steps.end()) return;
  std::string wrong;
  for (const StepSpec& step : lab.steps)
    if (result.is_blamed(step) && step.number != one.place) wrong += step.heading() + "\n";
  checks.expect(wrong.empty() && result.step_to_fix(test).number == one.place,
                "lab " + lab.id + " " + join(one.bugs, ", ") + ": step " + one.place +
                    " is to be written, and no other is wrong",
                wrong + "to fix: " + result.step_to_fix(test).heading());
}

void check_case(const Kit& kit,
                const LabSpec& lab,
                const CauseCase& one,
                BugTrees& known,
                ScratchBuild& build,
                Checks& checks) {
  const auto bug = std::ranges::find(known.bugs(), one.bugs.front(), &Variation::name);
  const auto index = static_cast<std::size_t>(bug - known.bugs().begin());
  // Why not with the others in CUDA: the lines of their common source are not those of a tree.
  const LabResult result = one.is_known_bug() && !lab.is_cuda()
                               ? known.grade(index, build, kLongSearch)
                               : graded_tree(kit, lab, one, build);
  const auto test = std::ranges::find_if(
      result.tests, [&](const TestResult& each) { return each.spec->name == one.test; });
  const bool fails = test != result.tests.end() && test->failed();
  const std::string place = fails && test->cause ? test->cause->place : "";
  const std::string copy = one.copied_header.empty() ? "" : " with a copy of " + one.copied_header;
  const std::string machine = one.waits ? " on a busy machine" : "";
  checks.expect(fails && place == one.place,
                "lab " + one.lab + " " + join(one.bugs, ", ") + copy + machine + ": " + one.test +
                    (one.place.empty() ? ", nothing is said" : " fails through " + one.place),
                fails ? "said: " + place : "that test does not fail");
  if (fails) check_blamed(lab, one, result, *test, checks);
}

}  // namespace

// Those of one known bug first: the others build another program.
void check_causes(
    const Kit& kit, const LabSpec& lab, BugTrees& known, ScratchBuild& build, Checks& checks) {
  std::vector<CauseCase> cases = load_cases(kit);
  std::stable_partition(cases.begin(), cases.end(), std::mem_fn(&CauseCase::is_known_bug));
  for (const CauseCase& one : cases) {
    if (one.lab == lab.id) check_case(kit, lab, one, known, build, checks);
  }
}

}  // namespace kv::grader

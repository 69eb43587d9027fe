#include <algorithm>
#include <map>

#include "grader/proof/check/bug_signatures.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/core_only_bugs.h"
#include "grader/proof/check/near_misses.h"
#include "grader/proof/check/parts_of_groups.h"

namespace kv::grader {
namespace {

constexpr std::size_t kFewestBugs = 12;
constexpr std::size_t kFewestNearMisses = 4;

// kFailing: of each bug the tests that its signature names, and no cause. kWhole: all tests, and
// the cause of the first failure; it takes twice as long.
enum class Extent { kFailing, kWhole };

std::vector<std::string> names_of(const std::map<std::string, std::string>& failing) {
  std::vector<std::string> names;
  for (const auto& [name, message] : failing) names.push_back(name);
  return names;
}

// Those that fail on a machine of any speed.
std::vector<std::string> names_without_limit(std::map<std::string, std::string> failing) {
  std::erase_if(failing, [](const auto& test) { return test.second == kAtTimeLimit; });
  return names_of(failing);
}

// A failing history has to be shrunk to a few calls: "broken after 2 calls (shrunk from ...)".
void check_shrinking(const Variation& bug, const LabResult& result, Checks& checks) {
  constexpr std::size_t kMostTooMany = 2;
  constexpr std::string_view kFound = "broken after ";
  const std::string name = "lab " + result.lab->id + " " + bug.name + ", ";
  bool is_found = false;
  for (const TestResult& test : result.tests) {
    if (test.spec->group != "history" || test.verdict.status == Status::kPass) continue;
    is_found = true;
    const std::string story = test.verdict.story.text();
    const bool is_shrunk = story.starts_with(kFound);  // "no call" reads as 0
    const std::size_t num_calls =
        is_shrunk ? std::strtoul(story.c_str() + kFound.size(), nullptr, 10) : 0;
    checks.expect(is_shrunk && num_calls <= *bug.shrinks_to + kMostTooMany,
                  name + test.spec->name + ": " + story.substr(0, story.find('\n')) +
                      "; the fewest there are: " + std::to_string(*bug.shrinks_to),
                  story);
  }
  checks.expect(is_found, name + "fails a random history");
}

void check_bug(const Variation& bug, const LabResult& result, Checks& checks) {
  const bool compiles = result.state != LabState::kDoesNotCompile;
  const std::vector<std::string> names = names_of(failing_tests(result));
  const std::string name = "lab " + result.lab->id + " " + bug.name + ": ";
  checks.expect(compiles && std::ranges::count(names, bug.killed_by) > 0,
                name + "killed by " + bug.killed_by + " and " +
                    std::to_string(names.empty() ? 0 : names.size() - 1) + " more",
                compiles ? bug.sentence : result.message);
  if (bug.shrinks_to) check_shrinking(bug, result, checks);
  if (bug.only_by.empty()) return;
  const std::vector<std::string> alone = names_without_limit(failing_tests(result));
  checks.expect(std::ranges::is_permutation(alone, bug.only_by),
                name + std::to_string(result.points(true)) + " of 100, killed by these alone",
                join(alone, "\n"));
}

// What reports say of the known bugs.
struct WhatIsSaid {
  std::size_t num_causes = 0;
  std::set<std::string> named = {};
  std::string false_ones = {};

  void add(const Signature& own, const std::vector<Signature>& all, const LabResult& result);
  void check(const std::string& name, std::size_t num_bugs, Checks& checks) const;
};

void WhatIsSaid::add(const Signature& own,
                     const std::vector<Signature>& all,
                     const LabResult& result) {
  const auto failure = result.first_failure();
  if (failure && failure->cause) {
    ++num_causes;
    if (!own.holds(*failure->cause))
      false_ones += own.name + ", cause: " + failure->cause->text + "\n";
  }
  const std::string diagnosis = diagnosis_of(all, result).text;
  if (diagnosis.empty()) return;
  named.insert(own.name);
  if (diagnosis.find(own.sentence) == diagnosis.npos)
    false_ones += own.name + ", " + diagnosis + "\n";
}

void WhatIsSaid::check(const std::string& name, std::size_t num_bugs, Checks& checks) const {
  checks.expect(false_ones.empty(),
                name + "of " + std::to_string(num_bugs) + " the cause is found for " +
                    std::to_string(num_causes) + ", the bug is named for " +
                    std::to_string(named.size()) + ", none falsely",
                false_ones);
}

// What the failing tests of each bug say: by its name, and by theirs.
using Messages = std::map<std::string, std::map<std::string, std::string>>;

// How a signature differs from what is written of the same bug.
std::string changed_tests(const Signature& now, const Signature& written, Messages& messages) {
  std::string changed;
  for (const auto& [test, difference] : beside_written(now, written))
    if (!difference.empty())
      changed += "  " + test + ": " + difference + "\n" + indent(messages[now.name][test], "    ");
  return changed.empty() ? "  its sentence, heading, steps, or whether it is named\n" : changed;
}

// The bugs whose signature is not the written one.
std::string changed_signatures(const LabSpec& lab,
                               const std::vector<Signature>& now,
                               const std::vector<Signature>& written,
                               Messages& messages) {
  std::string changed;
  for (const Signature& one : now) {
    const auto before = std::ranges::find(written, one.name, &Signature::name);
    if (before == written.end()) {
      changed += one.name + " is not written\n";
    } else if (!agree(*before, one)) {
      changed += one.name + ":\n" + changed_tests(one, *before, messages);
    }
  }
  return changed + "./lab signatures " + lab.id + " writes them again";
}

void expect_written(const LabSpec& lab,
                    std::vector<Signature> now,
                    const std::vector<Signature>& written,
                    Messages& messages,
                    Checks& checks) {
  // Near misses are made by machine with --full only.
  for (Signature& own : now) own.is_named &= !is_unnamed(written, own.name);
  checks.expect(std::ranges::equal(now, written, agree),
                "lab " + lab.id + ": the signatures are those in signatures.json",
                changed_signatures(lab, now, written, messages));
}

// A near miss fails the tests of a known bug for another reason, and must not be taken for it. Some
// are told apart by the cause alone.
void check_near_miss(const Variation& miss,
                     const std::vector<Signature>& signatures,
                     const LabResult& result,
                     Extent extent,
                     Checks& checks) {
  const auto like = std::ranges::find(signatures, miss.like, &Signature::name);
  const std::vector<std::string> names = names_of(failing_tests(result));
  checks.expect(like != signatures.end() && names_of(like->failing) == names,
                "lab " + result.lab->id + " " + miss.name + ": fails the tests of " + miss.like,
                "it fails other tests:\n" + join(names, "\n"));
  if (extent == Extent::kFailing) return;
  const std::string diagnosis = diagnosis_of(signatures, result).text;
  checks.expect(diagnosis.empty(),
                "lab " + result.lab->id + " " + miss.name + ": is not taken for " + miss.like,
                diagnosis);
}

std::optional<cause::SearchOptions> search_of(Extent extent) {
  if (extent == Extent::kFailing) return std::nullopt;
  return cause::SearchOptions{.cpu_seconds = 5, .first_only = true};
}

// Returns the bugs that a report names.
std::set<std::string> check_bugs_of(const Kit& kit,
                                    const LabSpec& lab,
                                    BugTrees& trees,
                                    ScratchBuild& build,
                                    Extent extent,
                                    Checks& checks) {
  const std::string name = "lab " + lab.id + ": ";
  const std::vector<Signature> written = load_signatures(kit, lab);
  const std::optional<cause::SearchOptions> search = search_of(extent);
  std::size_t num_near_misses = 0;
  WhatIsSaid said;
  Messages messages;
  const auto look = [&](const Variation& bug, const LabResult& result, const Signature& own) {
    if (bug.is_near_miss()) {
      ++num_near_misses;
      return check_near_miss(bug, written, result, extent, checks);
    }
    check_bug(bug, result, checks);
    expect_readable(name + bug.name, result, checks);
    messages[bug.name] = messages_of(result);
    if (search) said.add(own, written, result);
  };
  const std::vector<Signature> signatures = grade_bugs(kit, trees, build, search, look);
  checks.expect(signatures.size() >= kFewestBugs && num_near_misses >= kFewestNearMisses,
                name + std::to_string(signatures.size()) + " known bugs, " +
                    std::to_string(num_near_misses) + " near misses");
  expect_written(lab, signatures, written, messages, checks);
  if (search) said.check(name, signatures.size(), checks);
  return said.named;
}

void check_bugs(const Kit& kit, Extent extent, Checks& checks) {
  const auto tests =
      extent == Extent::kWhole ? BugTrees::Tests::kExpected : BugTrees::Tests::kFailing;
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    BugTrees trees(kit, lab, tests);
    const std::set<std::string> named = check_bugs_of(kit, lab, trees, build, extent, checks);
    if (extent == Extent::kFailing) continue;
    check_causes(kit, lab, trees, build, checks);
    // Why last: it takes the place of the build of `trees`.
    check_core_only_bugs(kit, lab, named, build, checks);
  }
}

}  // namespace

void check_known_bugs(const Kit& kit, Checks& checks) {
  check_bugs(kit, Extent::kFailing, checks);
}

void check_causes_of_bugs(const Kit& kit, Checks& checks) {
  check_bugs(kit, Extent::kWhole, checks);
}

}  // namespace kv::grader

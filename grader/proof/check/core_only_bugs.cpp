#include "grader/proof/check/core_only_bugs.h"

#include <algorithm>

#include "grader/proof/check/bug_trees.h"

namespace kv::grader {
namespace {

constexpr cause::SearchOptions kSearch{.cpu_seconds = 5};

// Does a core test see it, and say what it sees?
bool is_seen(const Signature& bug, const LabSpec& lab) {
  return std::ranges::any_of(lab.tests, [&](const TestSpec& test) {
    const auto message = bug.failing.find(test.name);
    return test.is_core && message != bug.failing.end() && is_message(message->second);
  });
}

// Do the same core tests fail, with the same messages, as in the whole solution? Of a function that
// lacks what extra points ask for, a bug can make another one.
bool does_the_same(const Signature& bug, const LabResult& result) {
  const std::map<std::string, std::string> failing = failing_tests(result);
  return std::ranges::all_of(result.tests, [&](const TestResult& test) {
    const auto now = failing.find(test.spec->name), before = bug.failing.find(test.spec->name);
    const bool is_left_out = !test.spec->is_core || test.spec->is_history();
    if (is_left_out || (before != bug.failing.end() && before->second == kAtTimeLimit)) return true;
    if (now == failing.end() || before == bug.failing.end())
      return now == failing.end() && before == bug.failing.end();
    return before->second.empty() || now->second == before->second;
  });
}

const Signature* signature_of(const std::vector<Signature>& signatures, const std::string& name) {
  const auto found = std::ranges::find(signatures, name, &Signature::name);
  return found == signatures.end() ? nullptr : &*found;
}

// What is wrong with the diagnoses of the bugs of a lab.
struct Diagnoses {
  std::vector<std::string> sentences = {};  // that are true of the work without the bug
  std::size_t num_others = 0;               // that do something else there
  std::size_t num_seen = 0;                 // that have to be named
  std::size_t num_named = 0;                // as many of them are
  std::string missing = {};
  std::string false_ones = {};

  void add(const Variation& bug,
           const Signature& signature,
           bool is_to_be_named,
           const std::string& said);
};

void Diagnoses::add(const Variation& bug,
                    const Signature& signature,
                    bool is_to_be_named,
                    const std::string& said) {
  const bool is_named = said.find(signature.sentence) != said.npos;
  const bool is_of_the_work = std::ranges::any_of(
      sentences, [&](const std::string& sentence) { return said.find(sentence) != said.npos; });
  if (!said.empty() && !is_of_the_work && (bug.is_near_miss() || !is_named))
    false_ones += bug.name + ", " + said + "\n";
  if (bug.is_near_miss() || !is_to_be_named) return;
  ++num_seen;
  if (is_named) ++num_named;
  if (!is_named) missing += bug.name + "\n";
}

}  // namespace

void check_core_only_bugs(const Kit& kit,
                          const LabSpec& lab,
                          const std::set<std::string>& named,
                          ScratchBuild& build,
                          Checks& checks) {
  const std::vector<Signature> signatures = load_signatures(kit, lab);
  BugTrees trees(kit, lab, BugTrees::Tests::kExpected, BugTrees::Work::kCoreOnly);
  Diagnoses diagnoses;
  for (const Variation& bug : load_variations(kit, lab, "known_bugs"))
    if (bug.is_core_only) diagnoses.sentences.push_back(bug.sentence);
  for (std::size_t i = 0; i < trees.bugs().size(); ++i) {
    const Variation& bug = trees.bugs()[i];
    const Signature* own = signature_of(signatures, bug.is_near_miss() ? bug.like : bug.name);
    if (own == nullptr) continue;
    const LabResult result = trees.grade(i, build, kSearch);
    const bool is_same = does_the_same(*own, result);
    if (!bug.is_near_miss() && !is_same) ++diagnoses.num_others;
    diagnoses.add(bug, *own, is_same && named.contains(bug.name) && is_seen(*own, lab),
                  diagnosis_of(signatures, result).text);
  }
  const std::string name = "lab " + lab.id + " with its core points alone: ";
  checks.expect(diagnoses.missing.empty(),
                name + "of " + std::to_string(diagnoses.num_seen) + " bugs that are named in all " +
                    "of it, " + std::to_string(diagnoses.num_named) + " are named; " +
                    std::to_string(diagnoses.num_others) + " do something else there",
                diagnoses.missing);
  checks.expect(diagnoses.false_ones.empty(), name + "no bug is named falsely",
                diagnoses.false_ones);
}

}  // namespace kv::grader

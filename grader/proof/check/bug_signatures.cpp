#include "grader/proof/check/bug_signatures.h"

#include <algorithm>

#include "grader/engine/cause/unit.h"

namespace kv::grader {
namespace {

Signature signature_of(const Kit& kit, const LabResult& result, const Variation& bug) {
  Signature signature{.name = bug.name,
                      .sentence = bug.sentence,
                      .heading = {},
                      .steps = {},
                      .failing = failing_tests(result)};
  if (bug.varies) signature.failing = {{bug.killed_by, ""}};
  for (const auto& unit :
       cause::changed_units(kit, *result.lab, write_variation(kit, *result.lab, bug)))
    signature.steps.insert(signature.steps.end(), unit.steps.begin(), unit.steps.end());
  for (const TestResult& test : result.tests) {
    if (test.spec->name == bug.killed_by) signature.heading = test.verdict.heading;
  }
  return signature;
}

// Is it one of the bugs that are asked for, or a near miss of one? None asked for: all are.
bool is_asked_for(const std::vector<std::string>& asked, const Variation& bug) {
  const std::string& name = bug.is_near_miss() ? bug.like : bug.name;
  return asked.empty() || std::ranges::count(asked, name) > 0;
}

// nullptr: the test passes.
const std::string* digest_of(const std::string& test, const Signature& signature) {
  const auto found = signature.failing.find(test);
  return found == signature.failing.end() ? nullptr : &found->second;
}

std::string difference(const std::string* now, const std::string* written) {
  const auto is_at_limit = [](const std::string* digest) {
    return digest != nullptr && *digest == kAtTimeLimit;
  };
  if (is_at_limit(now) || is_at_limit(written)) return "";
  if (written == nullptr) return "is not written";
  if (now == nullptr) return "passes, but is written";
  return *now == *written ? "" : "another message is written";
}

}  // namespace

std::vector<Signature> grade_bugs(const Kit& kit,
                                  BugTrees& trees,
                                  ScratchBuild& build,
                                  const std::optional<cause::SearchOptions>& how,
                                  const LookAtBug& look,
                                  const std::vector<std::string>& asked) {
  std::vector<Signature> bugs, misses;
  for (std::size_t i = 0; i < trees.bugs().size(); ++i) {
    const Variation& bug = trees.bugs()[i];
    if (!is_asked_for(asked, bug)) continue;
    const LabResult result = trees.grade(i, build, how);
    const Signature signature = signature_of(kit, result, bug);
    look(bug, result, signature);
    (bug.is_near_miss() ? misses : bugs).push_back(signature);
  }
  for (Signature& bug : bugs)
    bug.is_named = std::ranges::count(misses, bug.failing, &Signature::failing) == 0;
  return bugs;
}

std::map<std::string, std::string> beside_written(const Signature& now, const Signature& written) {
  std::map<std::string, std::string> tests;
  for (const Signature* signature : {&now, &written})
    for (const auto& [test, message] : signature->failing)
      tests[test] = difference(digest_of(test, now), digest_of(test, written));
  return tests;
}

std::string explained(const Signature& now,
                      const Signature& written,
                      const std::map<std::string, std::string>& messages) {
  std::string text;
  for (const auto& [test, difference] : beside_written(now, written)) {
    text += test + ": " + (difference.empty() ? "agrees" : difference) + "\n";
    const std::string* digest = digest_of(test, now);
    if (digest == nullptr) continue;
    text += indent(digest->empty() ? "(any message)" : messages.at(test), "  ");
  }
  return text;
}

}  // namespace kv::grader

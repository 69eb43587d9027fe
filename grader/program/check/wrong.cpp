#include <algorithm>
#include <cstdio>

#include "grader/program/base/errors.h"
#include "grader/program/check/check.h"
#include "grader/program/check/mistake_bank.h"
#include "grader/program/grading/signatures.h"

namespace kv::grader {
namespace {

constexpr std::size_t kFewestMistakes = 12;

Signature signature_of(const LabResult& result, const Variation& mistake) {
  Signature signature{.name = mistake.name,
                      .sentence = mistake.sentence,
                      .heading = {},
                      .failing = failing_tests(result)};
  for (const TestResult& test : result.tests) {
    if (test.spec->name == mistake.killed_by) signature.heading = test.verdict.heading;
  }
  return signature;
}

// A failing history has to arrive as a short story: "broken after 2 calls (shrunk from ...)".
void check_shrinking(const Variation& mistake, const LabResult& result, Checks& checks) {
  constexpr std::size_t kMostTooMany = 2;
  constexpr std::string_view kFound = "broken after ";
  const std::string name = "lab " + result.lab->id + " " + mistake.name + ", ";
  bool is_met = false;
  for (const TestResult& test : result.tests) {
    if (test.spec->group != "history" || test.verdict.status == Status::kPass) continue;
    is_met = true;
    const std::string story = test.verdict.story.text();
    const std::size_t num_calls =
        story.starts_with(kFound) ? std::strtoul(story.c_str() + kFound.size(), nullptr, 10) : 0;
    checks.expect(num_calls > 0 && num_calls <= *mistake.shrinks_to + kMostTooMany,
                  name + test.spec->name + ": " + story.substr(0, story.find('\n')) +
                      "; the fewest there are: " + std::to_string(*mistake.shrinks_to),
                  story);
  }
  checks.expect(is_met, name + "met by a random history");
}

void check_mistake(const Variation& mistake, const LabResult& result, Checks& checks) {
  const bool compiles = result.state != LabState::kDoesNotCompile;
  const std::set<std::string> names = failing_tests(result);
  const std::string name = "lab " + result.lab->id + " " + mistake.name + ": ";
  checks.expect(compiles && names.contains(mistake.killed_by),
                name + "killed by " + mistake.killed_by + " and " +
                    std::to_string(names.empty() ? 0 : names.size() - 1) + " more",
                compiles ? mistake.sentence : result.message);
  if (mistake.shrinks_to) check_shrinking(mistake, result, checks);
  if (mistake.only_by.empty()) return;
  const std::set<std::string> expected(mistake.only_by.begin(), mistake.only_by.end());
  checks.expect(names == expected,
                name + std::to_string(result.points(true)) + " of 100, killed by these alone",
                join({names.begin(), names.end()}, "\n"));
}

// Grades every known mistake of the lab.
std::vector<Signature> compute_signatures(
    const Kit& kit,
    const LabSpec& lab,
    const std::function<void(const Variation&, const LabResult&)>& look) {
  TrialTree trial = shared_trial(kit);
  std::vector<Signature> signatures;
  const MistakeBank bank(kit, lab);
  for (std::size_t i = 0; i < bank.mistakes().size(); ++i) {
    const LabResult result = bank.grade(i, trial);
    look(bank.mistakes()[i], result);
    signatures.push_back(signature_of(result, bank.mistakes()[i]));
  }
  return signatures;
}

// A mistake that breaks the same tests as another cannot be told from it.
std::size_t num_unique(const std::vector<Signature>& signatures) {
  return static_cast<std::size_t>(std::ranges::count_if(signatures, [&](const Signature& one) {
    return std::ranges::count(signatures, one.failing, &Signature::failing) == 1;
  }));
}

}  // namespace

void check_wrong(const Kit& kit, Checks& checks) {
  for (const LabSpec& lab : kit.manifest.labs) {
    const auto look = [&](const Variation& mistake, const LabResult& result) {
      check_mistake(mistake, result, checks);
    };
    const std::vector<Signature> signatures = compute_signatures(kit, lab, look);
    const std::string all = std::to_string(signatures.size());
    checks.expect(signatures.size() >= kFewestMistakes, "lab " + lab.id + ": " + all + " mistakes");
    checks.expect(signatures == load_signatures(kit, lab),
                  "lab " + lab.id + ": their signatures are those in signatures.json, " +
                      std::to_string(num_unique(signatures)) + " of " + all + " unlike any other",
                  "./lab signatures writes them anew");
  }
}

int signatures_command(const Kit& kit) {
  const Lock lock(kit.build);
  for (const LabSpec& lab : kit.manifest.labs) {
    write_signatures(kit, lab, compute_signatures(kit, lab, [](auto&, auto&) {}));
    std::printf("wrote %s\n", fs::relative(signatures_file(kit, lab), kit.root).c_str());
  }
  return kExitGraded;
}

}  // namespace kv::grader

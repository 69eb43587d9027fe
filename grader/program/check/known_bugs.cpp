#include <algorithm>
#include <cstdio>
#include <set>

#include "grader/program/base/errors.h"
#include "grader/program/check/check.h"
#include "grader/program/check/stories.h"
#include "grader/program/check/variation.h"
#include "grader/program/grading/signatures.h"
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

// The known bugs of a lab, to be graded one by one. Where a bug changes only bodies of functions,
// it is built together with all others of this kind, as mutants are (mutate/schemata.h): to compile
// a hundred trees one by one takes minutes. The few others get a tree of their own.
class KnownBugs {
 public:
  KnownBugs(const Kit& kit, const LabSpec& lab);  // throws KitBroken

  // Those of the common build come first.
  const std::vector<Variation>& bugs() const { return bugs_; }

  // bug: an index. build: the same for all.
  LabResult grade(std::size_t bug, ScratchBuild& build) const;

 private:
  void write_common_tree() const;

  const Kit& kit_;
  const LabSpec& lab_;
  fs::path common_tree_;
  std::vector<Variation> bugs_;
  std::size_t num_in_common_ = 0;
};

KnownBugs::KnownBugs(const Kit& kit, const LabSpec& lab)
    : kit_(kit),
      lab_(lab),
      common_tree_(kit.build / "known-bugs"),
      bugs_(load_variations(kit, lab, "known_bugs")) {
  const auto others = std::ranges::stable_partition(
      bugs_, [&](const Variation& bug) { return !mutants_of_bug(kit, lab, bug, 0).empty(); });
  num_in_common_ = bugs_.size() - others.size();
  write_common_tree();
}

void KnownBugs::write_common_tree() const {
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

LabResult KnownBugs::grade(std::size_t bug, ScratchBuild& build) const {
  RunOptions options{.seed = kit_.manifest.seed};
  if (bug >= num_in_common_) {
    return build.grade(lab_, write_variation(kit_, lab_, bugs_[bug]), options);
  }
  options.environment = {{"KV_MUTANT", std::to_string(id_of(bug))}};
  return build.grade(lab_, common_tree_, options);
}

constexpr std::size_t kFewestBugs = 12;

Signature signature_of(const LabResult& result, const Variation& bug) {
  Signature signature{
      .name = bug.name, .sentence = bug.sentence, .heading = {}, .failing = failing_tests(result)};
  if (bug.is_race) signature.failing = {bug.killed_by};
  for (const TestResult& test : result.tests) {
    if (test.spec->name == bug.killed_by) signature.heading = test.verdict.heading;
  }
  return signature;
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
  const std::set<std::string> names = failing_tests(result);
  const std::string name = "lab " + result.lab->id + " " + bug.name + ": ";
  checks.expect(compiles && names.contains(bug.killed_by),
                name + "killed by " + bug.killed_by + " and " +
                    std::to_string(names.empty() ? 0 : names.size() - 1) + " more",
                compiles ? bug.sentence : result.message);
  if (bug.shrinks_to) check_shrinking(bug, result, checks);
  if (bug.only_by.empty()) return;
  const std::set<std::string> expected(bug.only_by.begin(), bug.only_by.end());
  checks.expect(names == expected,
                name + std::to_string(result.points(true)) + " of 100, killed by these alone",
                join({names.begin(), names.end()}, "\n"));
}

// Grades every known bug of the lab.
std::vector<Signature> compute_signatures(
    const Kit& kit,
    const LabSpec& lab,
    const std::function<void(const Variation&, const LabResult&)>& look) {
  ScratchBuild build = shared_scratch_build(kit);
  std::vector<Signature> signatures;
  const KnownBugs known(kit, lab);
  for (std::size_t i = 0; i < known.bugs().size(); ++i) {
    const LabResult result = known.grade(i, build);
    look(known.bugs()[i], result);
    signatures.push_back(signature_of(result, known.bugs()[i]));
  }
  return signatures;
}

// How many bugs fail tests that no other bug fails in the same combination.
std::size_t num_unique(const std::vector<Signature>& signatures) {
  return static_cast<std::size_t>(std::ranges::count_if(signatures, [&](const Signature& one) {
    return std::ranges::count(signatures, one.failing, &Signature::failing) == 1;
  }));
}

// The bugs whose signature is not the written one.
std::string changed_signatures(const std::vector<Signature>& now,
                               const std::vector<Signature>& written) {
  std::string changed;
  for (const Signature& one : now) {
    if (std::ranges::count(written, one) > 0) continue;
    changed += one.name + ", now failing:\n  " +
               join({one.failing.begin(), one.failing.end()}, "\n  ") + "\n";
  }
  return changed + "./lab signatures writes them again";
}

}  // namespace

void check_known_bugs(const Kit& kit, Checks& checks) {
  for (const LabSpec& lab : kit.manifest.labs) {
    const auto look = [&](const Variation& bug, const LabResult& result) {
      check_bug(bug, result, checks);
      expect_readable("lab " + lab.id + " " + bug.name, result, checks);
    };
    const std::vector<Signature> signatures = compute_signatures(kit, lab, look);
    const std::string all = std::to_string(signatures.size());
    checks.expect(signatures.size() >= kFewestBugs, "lab " + lab.id + ": " + all + " known bugs");
    const std::vector<Signature> written = load_signatures(kit, lab);
    checks.expect(signatures == written,
                  "lab " + lab.id + ": the signatures are those in signatures.json, " +
                      std::to_string(num_unique(signatures)) + " of " + all + " unlike any other",
                  changed_signatures(signatures, written));
  }
}

int signatures_command(const Kit& kit, const SignaturesOptions& options) {
  const Lock lock(kit.build);
  for (const LabSpec* lab : kit.manifest.chosen(options.labs)) {
    write_signatures(kit, *lab, compute_signatures(kit, *lab, [](auto&, auto&) {}));
    std::printf("wrote %s\n", fs::relative(signatures_file(kit, *lab), kit.root).c_str());
  }
  return kExitGraded;
}

}  // namespace kv::grader

#include "grader/proof/check/near_misses.h"

#include <algorithm>
#include <mutex>

#include "base/process/parallel.h"
#include "grader/engine/variations/variation.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/joint_tree.h"
#include "grader/proof/check/mutant_run.h"
#include "grader/proof/mutate/equivalence.h"
#include "grader/proof/mutate/mutant_tester.h"
#include "grader/proof/mutate/normal_form.h"

namespace kv::grader {
namespace {

using mutate::Mutant;

// A known bug as a changed body, which is a mutant, too.
struct Target {
  const Signature* signature;
  Mutant bug;
};

bool has_message(const Signature& signature) {
  return std::ranges::any_of(signature.failing,
                             [](const auto& test) { return is_message(test.second); });
}

// Bugs with a message, without which no bug is named, that change one function. first_id: of the
// numbers that choose them.
std::vector<Target> targets_of(const Kit& kit,
                               const LabSpec& lab,
                               const std::vector<Signature>& signatures,
                               std::size_t first_id) {
  JointTree joint(kit, lab);
  std::map<int, const Signature*> by_variant;
  for (const Variation& bug : load_variations(kit, lab, "known_bugs")) {
    const auto signature = std::ranges::find(signatures, bug.name, &Signature::name);
    const int variant = static_cast<int>(first_id + by_variant.size());
    if (signature != signatures.end() && has_message(*signature) &&
        joint.add(variant, bug.file, varied_text(kit, lab, bug)))
      by_variant[variant] = &*signature;
  }
  std::vector<Target> targets;
  for (Mutant bug : joint.bodies()) {
    if (std::ranges::count(joint.bodies(), bug.id, &Mutant::id) > 1) continue;
    bug.file = lab.folder + "/" + bug.file;
    targets.push_back({by_variant.at(bug.id), std::move(bug)});
  }
  return targets;
}

// A function's place: its file, and where its body begins.
using Place = std::pair<std::string, std::size_t>;

Place place_of_body(const Mutant& mutant) {
  return {mutant.file, mutant.body_begin};
}

// For each function that has mutants, one whose body is a trap: the tests that fail then call it.
std::vector<Mutant> traps_of(const std::vector<Mutant>& mutants, int first_id) {
  std::map<Place, Mutant> traps;
  for (const Mutant& mutant : mutants) {
    Mutant& trap = traps.try_emplace(place_of_body(mutant), mutant).first->second;
    trap.body = "{\n  __builtin_trap();\n}";
  }
  std::vector<Mutant> all;
  for (auto& [place, trap] : traps) {
    trap.id = first_id++;
    all.push_back(std::move(trap));
  }
  return all;
}

// A mutant with the tests and the messages of a bug: the bug itself, or a near miss.
struct Pair {
  Mutant mutant;
  const Target* target;
};

class NearMissSearch {
 public:
  NearMissSearch(const Kit& kit, const LabSpec& lab, const std::vector<Signature>& signatures)
      : kit_(kit),
        lab_(lab),
        solution_(kit.root / "solution"),
        mutants_(mutate::mutants_of(lab, solution_)),
        targets_(targets_of(kit, lab, signatures, mutants_.size() + 1)),
        tester_(kit, lab, solution_, false) {}

  NearMisses find();

 private:
  void build();
  void find_callers();
  std::vector<Pair> try_mutants() const;
  std::vector<const Target*> bugs_beside(const Mutant& mutant) const;
  std::map<int, std::size_t> object_codes(const std::vector<Pair>& pairs) const;
  bool breaks_as_the_bug(const Pair& pair);

  MutantRun run_of(int mutant) const { return {kit_, lab_, program_, mutant}; }

  const Kit& kit_;
  const LabSpec& lab_;
  fs::path solution_;
  std::vector<Mutant> mutants_;
  std::vector<Target> targets_;
  mutate::MutantTester tester_;
  std::vector<Mutant> traps_ = {};
  fs::path program_ = {};
  std::map<Place, std::vector<TestGroup>> callers_ = {};  // the tests that call each function
  std::map<int, HistoryBreak> breaks_ = {};               // the first break of each bug
};

// One program has the mutants and the bugs. A bug that needs more headers does not compile there,
// and is left out.
void NearMissSearch::build() {
  std::erase_if(mutants_, [&](const Mutant& mutant) { return bugs_beside(mutant).empty(); });
  std::vector<Mutant> bodies = mutants_;
  for (const Target& target : targets_) bodies.push_back(target.bug);
  traps_ = traps_of(mutants_, std::ranges::max(bodies, {}, &Mutant::id).id + 1);
  bodies.insert(bodies.end(), traps_.begin(), traps_.end());
  tester_.compile(bodies);
  const auto is_left_out = [&](const Mutant& mutant) {
    return std::ranges::find(bodies, mutant.id, &Mutant::id) == bodies.end();
  };
  std::erase_if(mutants_, is_left_out);
  std::erase_if(traps_, is_left_out);
  std::erase_if(targets_, [&](const Target& target) { return is_left_out(target.bug); });
  program_ = tester_.build_tree().program("lab" + lab_.id + "_tests");
}

// Why the same form is left out: an operator may make the very change of the bug.
std::vector<const Target*> NearMissSearch::bugs_beside(const Mutant& mutant) const {
  std::vector<const Target*> bugs;
  const auto form = mutate::normal_form(mutant.body);
  for (const Target& target : targets_) {
    const bool is_here = place_of_body(mutant) == place_of_body(target.bug);
    if (is_here && mutate::normal_form(target.bug.body) != form) bugs.push_back(&target);
  }
  return bugs;
}

// Why: a mutant changes what a test sees only if the test calls its function. All tests, where the
// function does not compile with a trap.
void NearMissSearch::find_callers() {
  const std::vector<TimedTest> tests = timed_tests(kit_, lab_, program_);
  const std::vector<TestGroup> all = groups_of(tests);
  for (const Mutant& mutant : mutants_) callers_.try_emplace(place_of_body(mutant), all);
  in_parallel(traps_.size(), [&](std::size_t i) {
    callers_.at(place_of_body(traps_[i])) = groups_of(run_of(traps_[i].id).failing_among(tests));
  });
}

std::vector<Pair> NearMissSearch::try_mutants() const {
  std::vector<Pair> pairs;
  std::mutex one_writes;
  in_parallel(mutants_.size(), [&](std::size_t i) {
    MutantRun run = run_of(mutants_[i].id);
    for (const Target* target : bugs_beside(mutants_[i])) {
      const Signature& bug = *target->signature;
      if (!run.looks_like(bug, callers_.at(place_of_body(mutants_[i])))) continue;
      const std::lock_guard lock(one_writes);
      pairs.push_back({mutants_[i], target});
    }
  });
  return pairs;
}

// Equal numbers: equal object code. That of kernels is not compared: most of their files are
// headers.
std::map<int, std::size_t> NearMissSearch::object_codes(const std::vector<Pair>& pairs) const {
  std::map<int, Mutant> bodies;
  for (const auto& [mutant, target] : pairs) {
    bodies.insert({mutant.id, mutant});
    bodies.insert({target->bug.id, target->bug});
  }
  std::vector<Mutant> texts;
  for (const auto& [id, body] : bodies) texts.push_back(body);
  std::map<int, std::size_t> codes;
  if (lab_.is_cuda() || texts.empty()) return codes;
  const auto programs = mutate::distinct_programs(texts, kit_, tester_.build_tree(), solution_);
  for (std::size_t i = 0; i < programs.size(); ++i)
    for (const Mutant& mutant : programs[i]) codes[mutant.id] = i + 1;
  return codes;
}

bool NearMissSearch::breaks_as_the_bug(const Pair& pair) {
  const int bug = pair.target->bug.id;
  if (!breaks_.contains(bug)) breaks_[bug] = run_of(bug).first_break();
  const HistoryBreak& first = breaks_[bug];
  return first.test != nullptr && run_of(pair.mutant.id).break_in(*first.test) == first;
}

NearMisses NearMissSearch::find() {
  if (targets_.empty()) return {};  // no bug here fails a test

  build();
  find_callers();
  NearMisses misses{.num_mutants = mutants_.size()};
  std::vector<Pair> pairs = try_mutants();
  std::erase_if(pairs, [&](const Pair& pair) { return breaks_as_the_bug(pair); });
  std::map<int, std::size_t> codes = object_codes(pairs);
  for (const auto& [mutant, target] : pairs) {
    const std::size_t code = codes[mutant.id];
    const bool is_the_bug = code != 0 && code == codes[target->bug.id];
    if (!is_the_bug) misses.found.push_back({target->signature->name, mutant});
  }
  return misses;
}

}  // namespace

std::string NearMiss::text() const {
  return bug + ": " + mutant.file + ":" + std::to_string(mutant.line) + " " + mutant.function +
         ", " + mutant.op + "\n  - " + join(mutant.original, "\n  - ") + "\n  + " +
         join(mutant.mutated, "\n  + ") + "\n";
}

NearMisses make_near_misses(const Kit& kit,
                            const LabSpec& lab,
                            const std::vector<Signature>& signatures) {
  return NearMissSearch(kit, lab, signatures).find();
}

bool is_unnamed(const std::vector<Signature>& signatures, const std::string& bug) {
  const auto found = std::ranges::find(signatures, bug, &Signature::name);
  return found != signatures.end() && !found->is_named;
}

void forget_names(const NearMisses& misses, std::vector<Signature>& signatures) {
  for (const NearMiss& miss : misses.found) {
    std::ranges::find(signatures, miss.bug, &Signature::name)->is_named = false;
  }
}

void check_near_misses(const Kit& kit, Checks& checks) {
  for (const LabSpec& lab : kit.manifest.labs) {
    const std::vector<Signature> signatures = load_signatures(kit, lab);
    const NearMisses misses = make_near_misses(kit, lab, signatures);
    std::string named;
    for (const NearMiss& miss : misses.found)
      if (!is_unnamed(signatures, miss.bug)) named += miss.text();
    checks.expect(named.empty(),
                  "lab " + lab.id + ": " + std::to_string(misses.found.size()) +
                      " near misses made of " + std::to_string(misses.num_mutants) +
                      " mutants, none named as the bug",
                  named + "./lab signatures writes which bugs must not be named");
  }
}

}  // namespace kv::grader

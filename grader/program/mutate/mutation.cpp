#include "grader/program/mutate/mutation.h"

#include <algorithm>
#include <iterator>

#include "grader/program/mutate/trial.h"

namespace kv::grader::mutate {
namespace {

using Ledger = std::vector<LedgerEntry>;

bool explains_any(const LedgerEntry& entry, const std::vector<Mutant>& mutants) {
  return std::ranges::any_of(mutants, [&](const Mutant& mutant) { return entry.explains(mutant); });
}

bool is_explained(const Twins& twins, const Ledger& ledger) {
  return std::ranges::any_of(ledger,
                             [&](const LedgerEntry& entry) { return explains_any(entry, twins); });
}

Ledger stale_entries(const LabSpec& lab, const std::vector<Mutant>& alive, const Ledger& ledger) {
  Ledger stale;
  std::ranges::copy_if(ledger, std::back_inserter(stale), [&](const LedgerEntry& entry) {
    return entry.place.starts_with(lab.folder + "/") && !explains_any(entry, alive);
  });
  return stale;
}

std::vector<Mutant> flat(const std::vector<Twins>& groups) {
  std::vector<Mutant> mutants;
  for (const Twins& twins : groups) std::ranges::copy(twins, std::back_inserter(mutants));
  return mutants;
}

// Drops what the lab's tests catch when sanitizers look too. Returns how many that were.
std::size_t sanitize(const Kit& kit,
                     const LabSpec& lab,
                     const fs::path& tree,
                     std::vector<Twins>& groups) {
  std::vector<Mutant> mutants = flat(groups);
  if (mutants.empty()) return 0;
  const std::size_t num_before = mutants.size();
  Trial trial(kit, lab, tree, true);
  trial.build(mutants);
  const std::vector<Mutant> alive = trial.survivors_of(mutants);
  for (Twins& twins : groups) {
    std::erase_if(twins, [&](const Mutant& mutant) {
      return std::ranges::find(alive, mutant.id, &Mutant::id) == alive.end();
    });
  }
  std::erase_if(groups, [](const Twins& twins) { return twins.empty(); });
  return num_before - alive.size();
}

}  // namespace

std::size_t Mutation::num_unexplained() const {
  return flat(unexplained).size();
}

double Mutation::explained_share() const {
  return num_mutants == 0 ? 0
                          : static_cast<double>(num_explained) / static_cast<double>(num_mutants);
}

bool Mutation::ok() const {
  return unexplained.empty() && stale.empty() && explained_share() <= kMaxExplainedShare;
}

Mutation try_mutants(const Kit& kit,
                     const LabSpec& lab,
                     const fs::path& tree,
                     std::vector<Mutant> mutants,
                     const Ledger& ledger) {
  Mutation mutation{.num_stillborn = mutants.size()};
  Trial trial(kit, lab, tree, false);
  trial.build(mutants);
  mutation.num_mutants = mutants.size();
  mutation.num_stillborn -= mutants.size();
  const std::vector<Mutant> alive = trial.survivors_of(mutants);
  mutation.num_killed = mutants.size() - alive.size();
  mutation.stale = stale_entries(lab, alive, ledger);
  mutation.unexplained = twins_of(alive, kit, trial.build_tree(), tree);
  const std::size_t num_distinct = flat(mutation.unexplained).size();
  mutation.num_equivalent = alive.size() - num_distinct;
  std::erase_if(mutation.unexplained,
                [&](const Twins& twins) { return is_explained(twins, ledger); });
  mutation.num_explained = num_distinct - flat(mutation.unexplained).size();
  mutation.num_sanitized = sanitize(kit, lab, tree, mutation.unexplained);
  return mutation;
}

}  // namespace kv::grader::mutate

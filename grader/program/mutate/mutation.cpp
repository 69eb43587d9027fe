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

bool is_left_out(const Mutant& mutant, const Ledger& ledger) {
  return std::ranges::any_of(ledger,
                             [&](const LedgerEntry& entry) { return entry.leaves_out(mutant); });
}

Ledger stale_entries(const LabSpec& lab, const std::vector<Mutant>& alive, const Ledger& ledger) {
  Ledger stale;
  std::ranges::copy_if(ledger, std::back_inserter(stale), [&](const LedgerEntry& entry) {
    return entry.place.starts_with(lab.folder + "/") && !explains_any(entry, alive);
  });
  return stale;
}

// Drops what the lab's tests catch when sanitizers look too.
void sanitize(const Kit& kit,
              const LabSpec& lab,
              const fs::path& tree,
              std::vector<Twins>& groups) {
  if (groups.empty()) return;
  std::vector<Mutant> mutants;
  for (const Twins& twins : groups) mutants.push_back(twins.front());
  Trial trial(kit, lab, tree, true);
  trial.build(mutants);
  const std::vector<Mutant> alive = trial.survivors_of(mutants);
  std::erase_if(groups, [&](const Twins& twins) {
    return std::ranges::find(alive, twins.front().id, &Mutant::id) == alive.end();
  });
}

}  // namespace

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
  Mutation mutation;
  mutation.num_left_out =
      std::erase_if(mutants, [&](const Mutant& mutant) { return is_left_out(mutant, ledger); });
  mutation.num_stillborn = mutants.size();
  Trial trial(kit, lab, tree, false);
  trial.build(mutants);
  mutation.num_mutants = mutants.size();
  mutation.num_stillborn -= mutants.size();
  const std::vector<Mutant> alive = trial.survivors_of(mutants);
  mutation.num_killed = mutants.size() - alive.size();
  mutation.stale = stale_entries(lab, alive, ledger);
  std::vector<Twins> groups = twins_of(alive, kit, trial.build_tree(), tree);
  mutation.num_equivalent = alive.size();
  for (const Twins& twins : groups) {
    mutation.num_equivalent -= twins.size();
    mutation.num_twins += twins.size() - 1;
  }
  mutation.num_explained =
      std::erase_if(groups, [&](const Twins& twins) { return is_explained(twins, ledger); });
  mutation.num_sanitized = groups.size();
  sanitize(kit, lab, tree, groups);
  mutation.num_sanitized -= groups.size();
  mutation.unexplained = std::move(groups);
  return mutation;
}

}  // namespace kv::grader::mutate

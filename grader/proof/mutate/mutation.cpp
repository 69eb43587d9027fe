#include "grader/proof/mutate/mutation.h"

#include <algorithm>
#include <iterator>

#include "grader/proof/mutate/mutant_tester.h"

namespace kv::grader::mutate {
namespace {

using Ledger = std::vector<LedgerEntry>;

bool explains_any(const LedgerEntry& entry, const std::vector<Mutant>& mutants) {
  return std::ranges::any_of(mutants, [&](const Mutant& mutant) { return entry.explains(mutant); });
}

bool is_explained(const SameProgram& program, const Ledger& ledger) {
  return std::ranges::any_of(
      ledger, [&](const LedgerEntry& entry) { return explains_any(entry, program); });
}

MutantTester::Choice not_in(const Ledger& ledger) {
  return [&](const Mutant& mutant) { return !is_explained({mutant}, ledger); };
}

bool is_excluded(const Mutant& mutant, const Ledger& ledger) {
  return std::ranges::any_of(ledger,
                             [&](const LedgerEntry& entry) { return entry.excludes(mutant); });
}

Ledger stale_entries(const LabSpec& lab,
                     const std::vector<Mutant>& surviving,
                     const Ledger& ledger) {
  Ledger stale;
  std::ranges::copy_if(ledger, std::back_inserter(stale), [&](const LedgerEntry& entry) {
    return entry.place.starts_with(lab.folder + "/") && !explains_any(entry, surviving);
  });
  return stale;
}

std::vector<SameProgram> each_alone(const std::vector<Mutant>& mutants) {
  std::vector<SameProgram> programs;
  for (const Mutant& mutant : mutants) programs.push_back({mutant});
  return programs;
}

// Drops the mutants that fail the lab's tests in a sanitized build. The simulator has checked
// kernels already, and more closely.
void drop_killed_by_sanitizer(const Kit& kit,
                              const LabSpec& lab,
                              const fs::path& tree,
                              std::vector<SameProgram>& programs) {
  if (programs.empty() || lab.is_cuda()) return;
  std::vector<Mutant> mutants;
  for (const SameProgram& program : programs) mutants.push_back(program.front());
  MutantTester tester(kit, lab, tree, true);
  tester.build(mutants);
  const std::vector<Mutant> surviving =
      tester.survivors_of(mutants, [](const Mutant&) { return true; });
  std::erase_if(programs, [&](const SameProgram& program) {
    return std::ranges::find(surviving, program.front().id, &Mutant::id) == surviving.end();
  });
}

// Why each alone in CUDA: most files are headers, which make no object by themselves.
std::vector<SameProgram> programs_of(const std::vector<Mutant>& surviving,
                                     const Kit& kit,
                                     const LabSpec& lab,
                                     MutantTester& tester,
                                     const fs::path& tree) {
  if (lab.is_cuda()) return each_alone(surviving);
  return distinct_programs(surviving, kit, tester.build_tree(), tree);
}

}  // namespace

double Mutation::explained_share() const {
  return num_mutants == 0 ? 0
                          : static_cast<double>(num_explained) / static_cast<double>(num_mutants);
}

bool Mutation::ok() const {
  return survivors.empty() && stale.empty() && explained_share() <= kMaxExplainedShare;
}

Mutation try_mutants(const Kit& kit,
                     const LabSpec& lab,
                     const fs::path& tree,
                     std::vector<Mutant> mutants,
                     const Ledger& ledger) {
  Mutation mutation;
  mutation.num_excluded =
      std::erase_if(mutants, [&](const Mutant& mutant) { return is_excluded(mutant, ledger); });
  mutation.num_uncompilable = mutants.size();
  MutantTester tester(kit, lab, tree, false);
  tester.build(mutants);
  mutation.num_mutants = mutants.size();
  mutation.num_uncompilable -= mutants.size();
  const std::vector<Mutant> surviving = tester.survivors_of(mutants, not_in(ledger));
  mutation.num_killed = mutants.size() - surviving.size();
  mutation.stale = stale_entries(lab, surviving, ledger);
  std::vector<SameProgram> programs = programs_of(surviving, kit, lab, tester, tree);
  mutation.num_equivalent = surviving.size();
  for (const SameProgram& program : programs) {
    mutation.num_equivalent -= program.size();
    mutation.num_duplicates += program.size() - 1;
  }
  mutation.num_explained = std::erase_if(
      programs, [&](const SameProgram& program) { return is_explained(program, ledger); });
  mutation.num_killed_by_sanitizer = programs.size();
  drop_killed_by_sanitizer(kit, lab, tree, programs);
  mutation.num_killed_by_sanitizer -= programs.size();
  mutation.survivors = std::move(programs);
  return mutation;
}

Mutation mutate_solution(const Kit& kit, const LabSpec& lab) {
  const fs::path solution = kit.root / "solution";
  return try_mutants(kit, lab, solution, mutants_of(lab, solution),
                     load_ledger(equivalent_mutants_file(kit, lab)));
}

}  // namespace kv::grader::mutate

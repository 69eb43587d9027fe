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

// Why some alone: a header makes no object by itself, and most files in CUDA are headers.
std::vector<SameProgram> programs_of(std::vector<Mutant> surviving,
                                     const Kit& kit,
                                     const LabSpec& lab,
                                     MutantTester& tester,
                                     const fs::path& tree) {
  const auto alone = std::ranges::stable_partition(
      surviving, [&](const Mutant& mutant) { return !lab.is_cuda() && !is_header(mutant.file); });
  std::vector<SameProgram> programs = each_alone({alone.begin(), alone.end()});
  surviving.erase(alone.begin(), alone.end());
  if (!surviving.empty())
    std::ranges::move(distinct_programs(surviving, kit, tester.build_tree(), tree),
                      std::back_inserter(programs));
  return programs;
}

// The checks that a lab gives, below its folder.
std::vector<std::string> given_checks(const Kit& kit, const LabSpec& lab) {
  std::vector<std::string> checks;
  const fs::path given = kit.lab_folder(lab) / "given";
  if (!fs::exists(given)) return checks;
  for (const auto& entry : fs::directory_iterator(given)) {
    const std::string name = entry.path().filename().string();
    if (is_header(name) && read_file(entry.path()).find("KV_REQUIRE(") != std::string::npos)
      checks.push_back("given/" + name);
  }
  std::ranges::sort(checks);
  return checks;
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
  const fs::path tree = kit.build / "solution-with-checks";
  for (const std::string& file : lab.files)
    write_file(tree / lab.folder / file, kit.solution_text(lab, file));
  LabSpec with_checks = lab;
  for (const std::string& header : given_checks(kit, lab)) {
    write_file(tree / lab.folder / header, read_file(kit.lab_folder(lab) / header));
    with_checks.headers.push_back(header);
  }
  return try_mutants(kit, with_checks, tree, mutants_of(with_checks, tree),
                     load_ledger(equivalent_mutants_file(kit, lab)));
}

}  // namespace kv::grader::mutate

#include <array>
#include <cstdio>

#include "grader/proof/mutate/mutation.h"

namespace kv::grader::mutate {
namespace {

std::string survivor_text(const SameProgram& program) {
  const Mutant& mutant = program.front();
  const char* tree = is_header(mutant.file) ? "labs/" : "solution/";
  std::string text = "survives: " + (tree + mutant.file) + ":" + std::to_string(mutant.line) +
                     "\n" + ledger_lines(mutant);
  for (std::size_t i = 1; i < program.size(); ++i) {
    text += "the same object code, line " + std::to_string(program[i].line) + ", " + program[i].op +
            ": " + join(program[i].mutated, " ") + "\n";
  }
  return text + "\n";
}

}  // namespace

std::string table_head() {
  return "lab  mutants  killed  equivalent  duplicates  by sanitizers  in ledger   survivors  "
         "uncompilable  excluded\n";
}

std::string table_row(const LabSpec& lab, const Mutation& mutation) {
  std::array<char, 160> row;
  std::snprintf(row.data(), row.size(),
                "%-3s  %7zu  %6zu  %10zu  %10zu  %13zu  %2zu (%4.1f %%)  %9zu  %12zu  %8zu\n",
                lab.id.c_str(), mutation.num_mutants, mutation.num_killed, mutation.num_equivalent,
                mutation.num_duplicates, mutation.num_killed_by_sanitizer, mutation.num_explained,
                100 * mutation.explained_share(), mutation.survivors.size(),
                mutation.num_uncompilable, mutation.num_excluded);
  return row.data();
}

std::string findings(const Mutation& mutation) {
  std::string text;
  for (const SameProgram& program : mutation.survivors) text += survivor_text(program);
  for (const LedgerEntry& entry : mutation.stale) {
    text += "equivalent_mutants.txt:" + std::to_string(entry.line) +
            ": stale, no such mutant survives: " + entry.place + "; delete the entry\n\n";
  }
  if (mutation.explained_share() > kMaxExplainedShare) {
    text +=
        "the ledger explains more than 3 % of the mutants: simplify the solution or add tests\n\n";
  }
  return text;
}

}  // namespace kv::grader::mutate

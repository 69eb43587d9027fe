#include "grader/program/mutate/report.h"

#include <array>
#include <cstdio>

namespace kv::grader::mutate {
namespace {

std::string tell(const Twins& twins) {
  const Mutant& mutant = twins.front();
  std::string text = "survives: solution/" + mutant.file + ":" + std::to_string(mutant.line) +
                     "\n" + ledger_lines(mutant);
  for (std::size_t i = 1; i < twins.size(); ++i) {
    text += "the same object code, line " + std::to_string(twins[i].line) + ", " + twins[i].op +
            ": " + join(twins[i].mutated, " ") + "\n";
  }
  return text + "\n";
}

}  // namespace

std::string table_head() {
  return "lab  mutants  killed  equivalent  twins  sanitizers  ledger        survivors  not "
         "compiling  left out\n";
}

std::string table_row(const LabSpec& lab, const Mutation& mutation) {
  std::array<char, 160> row;
  std::snprintf(row.data(), row.size(),
                "%-3s  %7zu  %6zu  %10zu  %5zu  %10zu  %2zu (%4.1f %%)   %9zu  %13zu  %8zu\n",
                lab.id.c_str(), mutation.num_mutants, mutation.num_killed, mutation.num_equivalent,
                mutation.num_twins, mutation.num_sanitized, mutation.num_explained,
                100 * mutation.explained_share(), mutation.unexplained.size(),
                mutation.num_stillborn, mutation.num_left_out);
  return row.data();
}

std::string findings(const Mutation& mutation) {
  std::string text;
  for (const Twins& twins : mutation.unexplained) text += tell(twins);
  for (const LedgerEntry& entry : mutation.stale) {
    text += "equivalent_mutants.txt:" + std::to_string(entry.line) +
            ": stale, no such mutant lives: " + entry.place + "; delete the entry\n\n";
  }
  if (mutation.explained_share() > kMaxExplainedShare) {
    text += "the ledger explains more than 3 % of the mutants: make the solution leaner\n\n";
  }
  return text;
}

}  // namespace kv::grader::mutate

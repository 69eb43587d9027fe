#pragma once
// grader/proof/cases/NN-name/equivalent_mutants.txt, the ledger of a lab: the mutants that behave
// like the solution for every input, each with the reason.
//
//   01-free-queue/compact_free_queue.cpp | CompactFreeQueue::index_of | constant
//   - the lines that change, as they are in the file
//   + the lines that they change to
//   Why no input shows a difference, in a sentence or more.
//
// Where an operator makes only equivalent mutants in a whole lab, they are excluded:
//
//   05-paged-attention | order
//   Why no input shows a difference.
//
// Empty lines separate entries; a line that begins with # is a remark. The key is text, not a line
// number: an entry stays valid when other lines change, and is stale when its own line does.

#include "grader/proof/mutate/mutant.h"

namespace kv::grader::mutate {

struct LedgerEntry {
  std::string place;  // file | function | operator, or lab | operator
  std::vector<std::string> original;
  std::vector<std::string> mutated;
  std::string reason;
  std::size_t line;  // its line in the ledger, from 1

  bool explains(const Mutant& mutant) const;
  bool excludes(const Mutant& mutant) const;
};

fs::path equivalent_mutants_file(const Kit& kit, const LabSpec& lab);

std::vector<LedgerEntry> load_ledger(const fs::path& path);  // throws KitBroken: malformed

// The first lines of the entry for this mutant, to paste into the ledger.
std::string ledger_lines(const Mutant& mutant);

}  // namespace kv::grader::mutate

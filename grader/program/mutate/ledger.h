#pragma once
// grader/cases/NN-name/equivalent_mutants.txt, the ledger of a lab: the mutants that no input can
// tell from the solution, each with the reason.
//
//   01-free-queue/compact_free_queue.cpp | CompactFreeQueue::index_of | constant
//   - the lines that change, as they stand in the file
//   + the lines that they change to
//   Why no input can tell, in a sentence or more.
//
// Where an operator says nothing about a whole lab, its mutants are left out:
//
//   05-paged-attention | order
//   Why no input can tell.
//
// Entries are parted by empty lines; a line that begins with # is a remark. The key is text, not a
// line number: an entry lives through changes elsewhere and dies with the line it speaks of.

#include "grader/program/mutate/mutant.h"

namespace kv::grader::mutate {

struct LedgerEntry {
  std::string place;  // file | function | operator, or lab | operator
  std::vector<std::string> original;
  std::vector<std::string> mutated;
  std::string reason;
  std::size_t line;  // of the ledger, from 1

  bool explains(const Mutant& mutant) const;
  bool excludes(const Mutant& mutant) const;
};

fs::path equivalent_mutants_file(const Kit& kit, const LabSpec& lab);

std::vector<LedgerEntry> load_ledger(const fs::path& path);  // throws KitBroken: malformed

// The entry's first lines for this mutant: what is pasted into the ledger.
std::string ledger_lines(const Mutant& mutant);

}  // namespace kv::grader::mutate

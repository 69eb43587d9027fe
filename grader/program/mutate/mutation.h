#pragma once
// What becomes of every mutant of a lab's solution.

#include "grader/program/mutate/ledger.h"
#include "grader/program/mutate/twins.h"

namespace kv::grader::mutate {

// At most this share of a lab's mutants may stand in the ledger.
inline constexpr double kMaxExplainedShare = 0.03;

struct Mutation {
  std::size_t num_left_out = 0;    // of operators that say nothing about this lab
  std::size_t num_mutants = 0;     // that compile
  std::size_t num_stillborn = 0;   // that do not
  std::size_t num_killed = 0;      // by the lab's own tests
  std::size_t num_equivalent = 0;  // their object code is the solution's
  std::size_t num_twins = 0;       // their object code is that of a mutant counted below
  std::size_t num_sanitized = 0;   // killed by the same tests under ASan and UBSan
  std::size_t num_explained = 0;   // by the ledger
  std::vector<Twins> unexplained = {};
  std::vector<LedgerEntry> stale = {};  // of this lab, and explain no mutant that lives

  double explained_share() const;
  bool ok() const;
};

// Tries these mutants of a lab's files in `tree`, which passes the lab's tests.
Mutation try_mutants(const Kit& kit,
                     const LabSpec& lab,
                     const fs::path& tree,
                     std::vector<Mutant> mutants,
                     const std::vector<LedgerEntry>& ledger);

}  // namespace kv::grader::mutate

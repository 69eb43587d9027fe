#pragma once
// Mutation testing of a lab: the outcome of every mutant of its solution.

#include "grader/proof/mutate/equivalence.h"
#include "grader/proof/mutate/ledger.h"

namespace kv::grader::mutate {

// At most this share of a lab's mutants may be explained by the ledger.
inline constexpr double kMaxExplainedShare = 0.03;

struct Mutation {
  std::size_t num_excluded = 0;             // mutants whose operator the ledger excludes here
  std::size_t num_mutants = 0;              // that compile
  std::size_t num_uncompilable = 0;         // that do not
  std::size_t num_killed = 0;               // by the lab's own tests
  std::size_t num_equivalent = 0;           // their object code is the solution's
  std::size_t num_duplicates = 0;           // their object code is that of a mutant counted below
  std::size_t num_killed_by_sanitizer = 0;  // the same tests fail under ASan and UBSan
  std::size_t num_explained = 0;            // by the ledger
  std::vector<SameProgram> survivors = {};
  std::vector<LedgerEntry> stale = {};  // entries of this lab that explain no surviving mutant

  double explained_share() const;
  bool ok() const;
};

// Tries these mutants of a lab's files in `tree`, which passes the lab's tests.
Mutation try_mutants(const Kit& kit,
                     const LabSpec& lab,
                     const fs::path& tree,
                     std::vector<Mutant> mutants,
                     const std::vector<LedgerEntry>& ledger);

// Tries all mutants of a lab's solution and of what its given checks refuse, with the lab's ledger.
Mutation mutate_solution(const Kit& kit, const LabSpec& lab);

// The report of ./lab mutate: a row for each lab, then what there is to do.
std::string table_head();
std::string table_row(const LabSpec& lab, const Mutation& mutation);

// Each survivor as an entry for the ledger; each stale entry; a share above the limit.
std::string findings(const Mutation& mutation);

}  // namespace kv::grader::mutate

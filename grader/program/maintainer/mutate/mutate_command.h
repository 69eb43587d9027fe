#pragma once
// `./lab mutate`: shows which changes of the solution no test notices.

#include "grader/program/maintainer/mutate/mutation.h"

namespace kv::grader {

struct MutateOptions {
  std::vector<std::string> labs = {};  // empty: all
};

// The exit code: 0 when every mutant is killed or explained.
int mutate_command(const Kit& kit, const MutateOptions& options);

namespace mutate {

// Tries all mutants of a lab's solution, with the lab's ledger.
Mutation mutate_solution(const Kit& kit, const LabSpec& lab);

}  // namespace mutate
}  // namespace kv::grader

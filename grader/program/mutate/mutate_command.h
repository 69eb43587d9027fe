#pragma once
// `./lab mutate`: proof that the tests notice.

#include "grader/program/mutate/mutation.h"

namespace kv::grader {

struct MutateOptions {
  std::vector<std::string> labs = {};  // empty: all
};

// The exit code: 0 when every mutant is caught or explained.
int mutate_command(const Kit& kit, const MutateOptions& options);

namespace mutate {

// Tries all mutants of a lab's solution; what equivalent_mutants.txt lists is explained.
Mutation mutate_solution(const Kit& kit, const LabSpec& lab);

// Of this process and of all that it has run to the end.
double cpu_seconds_so_far();

}  // namespace mutate
}  // namespace kv::grader

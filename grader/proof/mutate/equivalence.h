#pragma once
// Which mutants are the same program. Two texts that the optimizer turns into the same object code
// are one program: no test can distinguish them, so nobody has to find a test or an argument.

#include "base/builds/build_tree.h"
#include "grader/proof/mutate/mutant.h"

namespace kv::grader::mutate {

// Mutants with the same object code. All but the first are its duplicates.
using SameProgram = std::vector<Mutant>;

// The mutants by object code at -O2, in the order of their numbers, without those whose object code
// is that of the solution in `tree`. Compiles with the compiler and the flags of a lab that has
// been built in `built`.
std::vector<SameProgram> distinct_programs(const std::vector<Mutant>& mutants,
                                           const Kit& kit,
                                           const BuildTree& built,
                                           const fs::path& tree);

}  // namespace kv::grader::mutate

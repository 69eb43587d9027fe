#pragma once
// Which mutants are one and the same program.

#include "grader/program/kit/build_tree.h"
#include "grader/program/mutate/mutant.h"

namespace kv::grader::mutate {

// Mutants of one object code; the others are the first one in other words.
using Twins = std::vector<Mutant>;

// The mutants by object code, in the order of their numbers, without those whose object code is the
// solution's: they are no mutants.
std::vector<Twins> twins_of(const std::vector<Mutant>& mutants,
                            const Kit& kit,
                            const BuildTree& built,
                            const fs::path& tree);

}  // namespace kv::grader::mutate

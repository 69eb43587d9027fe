#pragma once
// All mutants of a file in one program. The body of a function becomes
//
//   switch (active_mutant) {
//     case 17: { the body, changed } break;
//     ...
//     default: { the body }
//   }
//
// so one build and one test program serve them all, and a run takes one mutant's number from the
// environment (KV_MUTANT). Each changed body has a #line of its own, by which compiler errors name
// it.

#include "grader/program/mutate/mutant.h"

namespace kv::grader::mutate {

// `source`, the text of `file`, with its mutants in it.
std::string schemata(const std::string& source,
                     const std::string& file,
                     const std::vector<Mutant>& mutants);

}  // namespace kv::grader::mutate

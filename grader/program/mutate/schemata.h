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
// environment. Each changed body has a #line of its own, by which compiler errors name it.

#include <optional>

#include "grader/program/mutate/mutant.h"

namespace kv::grader::mutate {

inline constexpr const char* kActiveMutant = "KV_MUTANT";  // the environment variable

// `source`, the text of `file`, with its mutants in it.
std::string schemata(const std::string& source,
                     const std::string& file,
                     const std::vector<Mutant>& mutants);

// The number of the mutant that a line of compiler output complains of.
std::optional<int> complained_of(const std::string& line);

}  // namespace kv::grader::mutate

#pragma once
// The signatures of a lab's known bugs, from a run of its tests.

#include <functional>

#include "grader/proof/check/bug_trees.h"

namespace kv::grader {

using LookAtBug = std::function<void(const Variation&, const LabResult&, const Signature&)>;

// Grades the known bugs of a lab and their near misses, and returns the signatures of the bugs. A
// bug is not named if a near miss has its messages, too.
// how: of the search for causes; nullopt: there is none.
// look: called after each.
// asked: the bugs by name; empty: all.
std::vector<Signature> grade_bugs(const Kit& kit,
                                  BugTrees& trees,
                                  ScratchBuild& build,
                                  const std::optional<cause::SearchOptions>& how,
                                  const LookAtBug& look,
                                  const std::vector<std::string>& asked = {});

// The tests that fail in a signature or in what is written of the same bug, each with the
// difference between the two; empty: they agree.
std::map<std::string, std::string> beside_written(const Signature& now, const Signature& written);

// The same for a reader, in lines, with the whole message of each test that fails now.
// messages: of the result that the signature is from.
std::string explained(const Signature& now,
                      const Signature& written,
                      const std::map<std::string, std::string>& messages);

}  // namespace kv::grader

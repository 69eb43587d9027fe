#pragma once
// Near misses that are made by machine: mutants of the solution in the function of a known bug that
// fail exactly its tests, with its messages, and are not the bug. A mutant is the bug if only
// statements without effect distinguish the two, if its object code is the same, or if it breaks
// the same random history in the same call with the same message.

#include "grader/engine/grading/signatures.h"
#include "grader/proof/mutate/mutant.h"

namespace kv::grader {

struct NearMiss {
  std::string bug;  // whose tests fail, with its messages: a report must not name it
  mutate::Mutant mutant;

  std::string text() const;  // in several lines
};

struct NearMisses {
  std::size_t num_mutants = 0;  // that were tried
  std::vector<NearMiss> found = {};
};

NearMisses make_near_misses(const Kit& kit,
                            const LabSpec& lab,
                            const std::vector<Signature>& signatures);

// Is it written that no report names the bug?
bool is_unnamed(const std::vector<Signature>& signatures, const std::string& bug);

// From now on no bug is named that a near miss could be taken for.
void forget_names(const NearMisses& misses, std::vector<Signature>& signatures);

}  // namespace kv::grader

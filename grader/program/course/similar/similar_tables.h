#pragma once
// The pairs as a table: on the screen and as CSV. And what the table does not prove.

#include <string>
#include <vector>

#include "grader/program/course/similar/similar_pair.h"

namespace kv::grader::similar {

inline constexpr const char* kNoProof[] = {
    "What two texts have in common does not prove that one was copied: a common source, work "
    "together that was allowed, or a task with few right answers look the same, and the table does "
    "not show who wrote it first.",
    "A pair that is not in the table is not proved to be independent, so read both texts and ask "
    "both people before you decide anything."};

std::string pairs_csv(const std::vector<SimilarPair>& pairs);

// The first lines of the table.
std::string screen_table(const std::vector<SimilarPair>& pairs);

// "86%"; a part never shows as 100%.
std::string per_cent(double share);

}  // namespace kv::grader::similar

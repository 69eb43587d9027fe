#pragma once
// What ./lab similar writes.

#include <string>
#include <vector>

#include "grader/classroom/similar/similar_pair.h"
#include "grader/classroom/similar/work.h"

namespace kv::grader::similar {

// The pairs as a table: on the screen and as CSV. And what the table does not prove.
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

std::string four_digits(std::size_t number);  // "0001": of a page or a folder

// The table as a page, and a page for each pair with the two texts side by side.
std::string table_page(const Kit& kit,
                       const std::vector<SimilarPair>& pairs,
                       const std::vector<Work>& works);

std::string pair_page(const Kit& kit, const SimilarPair& pair, const std::vector<LabText>& texts);

// The submissions in the folders that other programs read: JPlag and MOSS.

// submissions/NAME/ with the paths of a tree, base/, and README.txt with the command.
void export_for_jplag(const std::vector<Work>& works, const BaseCode& base, const fs::path& folder);

// 0001/ and so on, without folders in them, base/, names.csv and README.txt with the command. Why
// numbers: MOSS is a server, and names need not go there.
void export_for_moss(const std::vector<Work>& works, const BaseCode& base, const fs::path& folder);

}  // namespace kv::grader::similar

#pragma once
// The table as a page, and a page for each pair with the two texts side by side.

#include <string>
#include <vector>

#include "grader/program/course/similar/similar_pair.h"
#include "grader/program/course/similar/work.h"

namespace kv::grader::similar {

std::string table_page(const Kit& kit,
                       const std::vector<SimilarPair>& pairs,
                       const std::vector<Work>& works);

std::string pair_page(const Kit& kit, const SimilarPair& pair, const std::vector<LabText>& texts);

}  // namespace kv::grader::similar

#pragma once
// The submissions in the folders that other programs read: JPlag and MOSS.

#include <vector>

#include "grader/program/course/similar/base_code.h"
#include "grader/program/course/similar/work.h"

namespace kv::grader::similar {

// submissions/NAME/ with the paths of a tree, base/, and README.txt with the command.
void export_for_jplag(const std::vector<Work>& works, const BaseCode& base, const fs::path& folder);

// 0001/ and so on, without folders in them, base/, names.csv and README.txt with the command. Why
// numbers: MOSS is a server, and names need not go there.
void export_for_moss(const std::vector<Work>& works, const BaseCode& base, const fs::path& folder);

}  // namespace kv::grader::similar

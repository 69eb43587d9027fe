#pragma once
// The folder that holds what a class has handed in.

#include <vector>

#include "grader/desk/handed_in/handed_in.h"

namespace kv::grader {

// Each entry is a submission, or part of one, or has a problem; but for what systems add to folders
// (.DS_Store, __MACOSX, Thumbs.db, desktop.ini), none is skipped. Files of labs by themselves are
// one submission for each name before theirs: "lovelace_12345_67890_block_pool-1.cpp", as Canvas
// names them, and "lovelace_12345_block_pool.cpp" are of lovelace_12345.
std::vector<HandedIn> in_class_folder(const fs::path& folder, const Manifest& manifest);

}  // namespace kv::grader

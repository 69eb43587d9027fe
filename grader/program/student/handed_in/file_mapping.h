#pragma once
// From the files of a submission, however it is wrapped, to a tree that can be graded.

#include <map>
#include <string>
#include <vector>

#include "grader/program/base/kit/manifest.h"

namespace kv::grader {

struct MappedTree {
  std::map<std::string, fs::path> files =
      {};                               // "01-free-queue/compact_free_queue.cpp" -> its place
  std::vector<std::string> notes = {};  // what was not clear, or not mapped
};

// A file is taken by its lab's folder and its name, at any depth; else by its name alone, if no
// other lab has a file of that name. Where there are several, one in a folder "starter" is taken,
// then the least deep; two at one depth are a note, and neither is taken. Symbolic links and the
// folders of the kit that are not the student's (solution, labs, grader, ...) are left out.
MappedTree map_files(const Manifest& manifest, const fs::path& folder);

// Copies the mapped files into `tree`, and removes what else is there.
void write_tree(const MappedTree& mapped, const fs::path& tree);

}  // namespace kv::grader

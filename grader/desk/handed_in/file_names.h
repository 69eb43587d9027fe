#pragma once
// The names of a lab's files, and what browsers, systems and students make of them.

#include <map>
#include <string>

#include "base/kit/manifest.h"

namespace kv::grader {

// The labs' files and the headers that a tree may have, by name, with their places in a tree.
using KnownFiles = std::multimap<std::string, std::string>;
KnownFiles known_files(const Manifest& manifest);

// The known name that is meant: "block_pool.cpp" of "Block_Pool (1).cpp.txt", of
// "block-pool_final.cpp" and of "block_pool.cc". Empty: none is.
std::string known_name(const KnownFiles& known, const std::string& file);

// The same where something is in front of the name: "Copy of", "lab1", or whose file it is, as in
// "12345-678 - Ada Lovelace - Oct 9, 2026 - block_pool.cpp".
struct NameWithFront {
  std::string front;
  std::string name;  // empty: none is meant
};
NameWithFront known_name_at_end(const KnownFiles& known, const std::string& file);

// May it be a source of C++ or CUDA, by its extension?
bool is_source(const fs::path& path);

// Is it in a folder that the kit has beside starter/, where students write nothing?
bool is_in_kit(const fs::path& path);

// What systems put beside the files of others: __MACOSX, ._block_pool.cpp, Thumbs.db.
bool is_of_the_system(const std::string& name);

}  // namespace kv::grader

#pragma once
// What was handed in: folders and archives side by side, or a list of git repositories; or one of
// them.

#include <map>
#include <string>
#include <vector>

#include "base/kit/manifest.h"
#include "grader/engine/submission/submission.h"

namespace kv::grader {

struct HandedIn {
  std::string name;     // the folder's name, or the archive's without its extension
  fs::path place = {};  // empty for a repository
  std::map<std::string, fs::path> files = {};  // single files, by name; else empty
  std::string url = {};                        // where the repository is; else empty
  std::string commit = {};                     // a commit or a branch of the repository
  std::string problem = {};                    // why this is no submission, and what to do

  Origin origin() const;
};

// In the order of their names. `path`: the folder of a class (class_folder.h), or a file with a
// line "name url [commit]" for each submission. Throws UsageError, also when two lines have one
// name.
std::vector<HandedIn> find_handed_in(const fs::path& path, const Manifest& manifest);

// What a person names as one submission: a folder, an archive, one of the single files of a class's
// folder for all of the same person, or with a commit the URL of a repository. Throws UsageError:
// there is none, or it is a file of another kind.
HandedIn one_handed_in(const std::string& place,
                       const std::string& commit,
                       const Manifest& manifest);

// Copies, unpacks or clones it into `folder`, which is new, with the archives that are inside.
// Returns why that was not possible, as one sentence; else nothing. Symbolic links stay links.
std::string fetch(const HandedIn& handed_in, const fs::path& folder);

// The same for a reader who changes nothing: a folder without archives stays where it is.
struct Fetched {
  fs::path place;       // where the files are
  std::string problem;  // why there are none
};
Fetched fetch_unless_folder(const HandedIn& handed_in, const fs::path& folder);

// From the files of a submission, however it is wrapped, to a tree that can be graded.
struct MappedTree {
  // "01-free-queue/compact_free_queue.cpp" -> its place
  std::map<std::string, fs::path> files = {};
  std::vector<std::string> notes = {};  // how they were found, and what was not mapped
  // By the id of a lab: why it has no score. It is not clear which file is meant.
  std::map<std::string, std::string> unclear = {};
};

// A file is taken by its lab's folder and its name, at any depth; else by its name alone, if no
// other lab has a file of that name. Of several, what is written comes before what has nothing but
// stubs, a right name before one that was changed (file_names.h), and one in a folder "starter"
// before others; then the least deep is taken. Two that differ and are equal in all of this are
// unclear, and so is a file of another name that has a step of a file which is not there, an empty
// one, and a lab whose files may be where nothing is looked at: in an archive that cannot be
// unpacked, or in a folder that has the name of one of the kit's (solution, labs, grader, ...).
// Symbolic links and these folders are left out.
MappedTree map_files(const Manifest& manifest, const fs::path& folder);

// Copies the mapped files into `tree`, those in UTF-16 as UTF-8, and removes what else is there.
void write_tree(const MappedTree& mapped, const fs::path& tree);

}  // namespace kv::grader

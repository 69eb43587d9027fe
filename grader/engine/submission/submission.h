#pragma once
// A tree with a student's work, where it came from, and the copy of it that is built. Only files
// that the manifest lists are copied, so a submission cannot replace a build file, a test or the
// grader.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/kit/kit.h"
#include "base/text/text.h"
#include "grader/engine/submission/stubs.h"

namespace kv::grader {

// Where files were handed in, in the words of the person who grades them. The tree that is graded
// is a copy then, with a path that says nothing to a reader.
struct Origin {
  std::string place = {};   // as it was given: a folder, an archive, the URL of a repository
  std::string commit = {};  // the commit of a repository; else empty

  bool is_known() const { return !place.empty(); }
  std::string name() const { return place + (commit.empty() ? "" : " " + commit); }
};

// A tree with a student's work, and the copy of it that is built. Only files that the manifest
// lists are copied, so a submission cannot replace a build file, a test or the grader.
struct SubmittedLab {
  const LabSpec* lab;
  bool is_submitted = false;                    // its files are there, or are replaced by stubs
  std::vector<std::string> missing_files = {};  // graded as the untouched stub
  std::vector<std::string> open_steps = {};     // KV_TODO lines left: "1.2"
  bool is_untouched = false;                    // its files are the kit's stubs, byte for byte
  bool has_solution = true;                     // no: the course has not opened it
};

struct Submission {
  std::string name;         // "starter", "solution", or the path or the origin as it was given
  fs::path tree;            // the original
  fs::path stage;           // the copy
  Origin origin = {};       // unknown: the tree itself is the student's
  std::string digest = {};  // SHA-256 over the list of file digests
  std::map<std::string, std::string> file_digests = {};  // SHA-256, by path inside the tree
  std::vector<SubmittedLab> labs = {};

  int num_core_stubs() const;
  bool has_own_header(const LabSpec& lab) const;  // a copy of a contract, staged
  bool has_staged(const LabSpec& lab) const;      // all files of the lab
  // The path of a file of a lab, for its author: "starter/01-free-queue/a.cpp".
  std::string path_of(const LabSpec& lab, const std::string& file) const;
  // What ./lab grade needs to mean this tree: "" or " --tree me". Why nothing where the origin is
  // known: the author works in starter/.
  std::string grade_option() const;
  // What ./lab diff needs to compare a lab of it: "me 01".
  std::string diff_arguments(const LabSpec& lab) const;
  // Compiler output with paths in the tree instead of paths in the copy.
  std::string with_own_paths(std::string text) const;
};

// The message for a staged file of the lab that no compiler reads as text; nullopt: there is none.
std::optional<std::string> utf16_error(const Submission& submission, const LabSpec& lab);

// Copies the files of `labs`. origin: of what `tree` is a copy. Throws UsageError when `tree` is
// not a tree with such files.
Submission stage_submission(const Kit& kit,
                            const std::string& tree,
                            const std::vector<const LabSpec*>& labs,
                            const fs::path& stage,
                            const Origin& origin = {});

// Copies the files of all labs of the submission's tree, to be linked with each other. A lab is not
// copied when one that it needs is incomplete, without a stub for what is missing.
Submission stage_together(const Kit& kit, const Submission& submission, const fs::path& stage);

// The folder that a tree's name means. Throws UsageError when it has no file of the labs.
fs::path find_tree(const Kit& kit,
                   const std::string& tree,
                   const std::vector<const LabSpec*>& labs);

}  // namespace kv::grader

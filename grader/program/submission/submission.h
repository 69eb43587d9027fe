#pragma once
// A tree with somebody's work in it, and the copy of it that is built. Only files that the manifest
// lists are copied, so a submission cannot bring a build file, a test or a grader of its own.

#include <map>
#include <string>
#include <vector>

#include "grader/program/kit/kit.h"

namespace kv::grader {

struct SubmittedLab {
  const LabSpec* lab;
  bool is_submitted = false;                    // its files are there, or stubs can stand in
  std::vector<std::string> missing_files = {};  // graded as the untouched stub
  std::vector<std::string> open_steps = {};     // KV_TODO lines left: "1.2"
};

struct Submission {
  std::string name;         // "starter", "solution", or the path as it was given
  fs::path tree;            // where the work lies
  fs::path stage;           // the copy
  std::string digest = {};  // SHA-256 over the list of file digests
  std::map<std::string, std::string> file_digests = {};  // SHA-256, by path inside the tree
  std::vector<SubmittedLab> labs = {};

  int num_core_stubs() const;
  // Compiler output that speaks of the copy, made to speak of the tree.
  std::string with_own_paths(std::string text) const;
};

// Copies the files of `labs`. Throws UsageError when the tree is none.
Submission stage_submission(const Kit& kit,
                            const std::string& tree,
                            const std::vector<const LabSpec*>& labs,
                            const fs::path& stage);

// The steps whose KV_TODO stands in this text: "1.2", "1.3".
std::vector<std::string> open_steps(const std::string& source);

}  // namespace kv::grader

#pragma once
// The parts of the group "./lab similar".

#include <set>
#include <string>
#include <vector>

#include "grader/program/base/process/process.h"
#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

// A run of ./lab similar and the pairs it lists.
struct SimilarRun {
  SimilarRun(const Kit& kit, const fs::path& folder, std::vector<std::string> options = {});

  std::string text() const;

  fs::path out;
  Outcome outcome;
  std::set<std::string> pairs = {};  // "01: ada, ben"
};

void check_winnowing(Checks& checks);                      // its guarantee
void check_similar_files(const Kit& kit, Checks& checks);  // pages and exports
void check_similar_use(const Kit& kit, Checks& checks);    // bad input: one sentence

// What a copier does to a text so that it looks different. The program stays the same.

std::string renamed(const std::string& source);      // variables and parameters
std::string reordered(const std::string& source);    // the last function comes first
std::string reformatted(const std::string& source);  // other lines, no comments
std::string commented(const std::string& source);    // a comment in each line

}  // namespace kv::grader

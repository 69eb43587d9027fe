#pragma once
// ./lab similar, for the pages that it writes.

#include <set>
#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"
#include "grader/program/base/process/process.h"

namespace kv::grader {

// A run of ./lab similar and the pairs it lists.
struct SimilarRun {
  SimilarRun(const Kit& kit, const fs::path& folder, std::vector<std::string> options = {});

  std::string text() const;

  fs::path out;
  Outcome outcome;
  std::set<std::string> pairs = {};  // "01: ada, ben"
};

}  // namespace kv::grader

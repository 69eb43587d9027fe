#pragma once
// `./lab similar`: which submissions of a class have more in common than independent answers have.

#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"
#include "grader/program/course/similar/similar_pair.h"

namespace kv::grader {

struct SimilarOptions {
  std::string folder = {};  // as for ./lab class
  std::string out = "similar-report";
  std::vector<std::string> labs = {};  // empty: all
  int share = similar::kDefaultShare;  // per cent of fingerprints from which a pair is listed
};

int similar_command(const Kit& kit, const SimilarOptions& options);  // the exit code

}  // namespace kv::grader

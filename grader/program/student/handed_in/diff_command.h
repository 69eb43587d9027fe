#pragma once
// `./lab diff`: compares each function of a tree, or of what was handed in, with the solution's.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct DiffOptions {
  std::string tree = "starter";
  std::string lab = {};     // empty: all
  std::string commit = {};  // empty: the tree is no repository to be cloned
  bool yes = false;
};

int diff_command(const Kit& kit, const DiffOptions& options);

}  // namespace kv::grader

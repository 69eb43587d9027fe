#pragma once
// `./lab diff`: compares each function of a tree with the solution's.

#include <string>

#include "grader/program/kit/kit.h"

namespace kv::grader {

struct DiffOptions {
  std::string tree = "starter";
  std::string lab = {};  // empty: all
  bool yes = false;
};

int diff_command(const Kit& kit, const DiffOptions& options);

}  // namespace kv::grader

#pragma once
// `./lab diff`: each function of a tree beside the solution's.

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

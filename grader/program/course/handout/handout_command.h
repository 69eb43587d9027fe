#pragma once
// `./lab handout`: a copy of the kit for students, without the solutions that are not open yet.

#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct HandoutOptions {
  std::string folder = {};
  std::vector<std::string> labs = {};  // "01" or "01-03"; empty: all, or those of the handout
  std::vector<std::string> open = {};  // in addition to those that are open there
};

int handout_command(const Kit& kit, const HandoutOptions& options);  // the exit code

}  // namespace kv::grader

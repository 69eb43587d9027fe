#pragma once
// `./lab class`: grades the submissions of a class, each by itself.

#include <optional>
#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct ClassOptions {
  std::string folder = {};  // of the submissions, or a list of repositories
  std::string out = "class-report";
  std::vector<std::string> labs = {};  // empty: all
  unsigned num_jobs = 1;               // submissions at a time
  int wall_seconds = 600;              // for one submission
  std::optional<std::uint64_t> seed = {};
  std::string roster = {};  // CSV: id, name, group
};

int class_command(const Kit& kit, const ClassOptions& options);  // the exit code

}  // namespace kv::grader

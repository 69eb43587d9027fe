#pragma once
// `./lab grade`.

#include <optional>
#include <string>
#include <vector>

#include "grader/program/kit/kit.h"

namespace kv::grader {

struct GradeOptions {
  std::vector<std::string> labs = {};  // empty: all
  std::string tree = "starter";
  bool together = false;
  bool sanitize = false;
  bool nvcc = false;
  std::optional<std::uint64_t> seed = {};
  std::optional<int> cpu_seconds = {};
  bool all_failures = false;
  bool strict = false;
  std::string json_file = {};
  std::string junit_file = {};
};

int grade_command(const Kit& kit, const GradeOptions& options);  // the exit code

}  // namespace kv::grader

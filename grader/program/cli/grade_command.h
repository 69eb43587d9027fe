#pragma once
// `./lab grade`.

#include <string>
#include <vector>

#include "grader/program/findings/grading_run.h"

namespace kv::grader {

struct GradeOptions {
  std::vector<std::string> labs = {};  // empty: all
  std::string tree = "starter";
  GradingOptions how = {};
  bool all_failures = false;
  bool strict = false;
  std::string json_file = {};
  std::string junit_file = {};
  std::string html_file = {};
  Origin origin = {};  // of what the tree is a copy
};

int grade_command(const Kit& kit, const GradeOptions& options);  // the exit code

}  // namespace kv::grader

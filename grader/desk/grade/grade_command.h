#pragma once
// `./lab grade`.

#include <string>
#include <vector>

#include "base/commands/commands.h"
#include "grader/engine/report/grading_run.h"

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
  bool is_for_student = false;  // the page: it has no flags
  Origin origin = {};           // what the tree is a copy of
};

// Returns the exit code.
int grade_command(const Kit& kit, const GradeOptions& options, const PageWriter& write_page = {});

}  // namespace kv::grader

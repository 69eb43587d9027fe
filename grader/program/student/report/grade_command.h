#pragma once
// `./lab grade`.

#include <functional>
#include <string>
#include <vector>

#include "grader/program/student/report/grading_run.h"

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

// Writes the page of --html (student/pages/grading_page.h). Why handed over: the student's program
// has none, so that the first grading does not wait for it.
using PageWriter = std::function<void(const Kit&, const Report&, const fs::path&)>;

// Returns the exit code.
int grade_command(const Kit& kit, const GradeOptions& options, const PageWriter& write_page = {});

}  // namespace kv::grader

#pragma once
// The hunks of `diff starter solution`. Each has to replace exactly one KV_TODO line.

#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct Hunk {
  std::string step;       // "1.2"; empty: not a hunk that replaces one KV_TODO line
  std::string todo_line;  // the line it replaces
  std::vector<std::string> solution_lines;
};

// The hunks of one student file.
std::vector<Hunk> hunks_of(const Kit& kit, const LabSpec& lab, const std::string& file);

}  // namespace kv::grader

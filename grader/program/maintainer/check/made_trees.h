#pragma once
// Trees made from the starter and the solution.

#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

// Writes the solution of the lab with the files of an alternative in place of its own, and returns
// the tree.
fs::path write_alternative(const Kit& kit, const LabSpec& lab, const fs::path& alternative);

// Trees in which a lab is solved up to a step.

// Writes the lab's files to `tree`: the solution up to and including one step; later steps are
// still stubs.
void write_stair(const Kit& kit,
                 const LabSpec& lab,
                 const std::string& last_step,
                 const fs::path& tree);

// The hunks of `diff starter solution`. Each has to replace exactly one KV_TODO line.
struct Hunk {
  std::string step;       // "1.2"; empty: not a hunk that replaces one KV_TODO line
  std::string todo_line;  // the line it replaces
  std::vector<std::string> solution_lines;
};

// The hunks of one student file.
std::vector<Hunk> hunks_of(const Kit& kit, const LabSpec& lab, const std::string& file);

}  // namespace kv::grader

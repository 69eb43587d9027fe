#pragma once
// What can be at fault: a step that the student has written, or a given function that the student
// has changed.

#include <set>
#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader::cause {

struct Unit {
  // Empty for a given function. More than one if a later step rewrites them together: their
  // bodies agree on what they store, so one cannot be replaced alone.
  std::vector<std::string> steps = {};
  std::string name;                      // "step 2.2 get_new_blocks", "the given function owns"
  std::string heading;                   // "2.2 get_new_blocks"; empty for a given function
  std::set<std::string> functions = {};  // "BlockPool::get_new_blocks"
};

// The units whose text in `tree` is not the solution's, in the order of the steps, given functions
// last.
std::vector<Unit> changed_units(const Kit& kit, const LabSpec& lab, const fs::path& tree);

// Do both have the same classes outside of functions, and the same headers? Else a function of one
// cannot work on the objects of the other. Kernels cannot be mixed: a launch takes the address of a
// whole kernel, and a call on the device cannot go through a slot.
bool can_be_mixed(const Kit& kit, const LabSpec& lab, const fs::path& tree);

// All functions that the lab's files in the solution define.
std::set<std::string> functions_of_solution(const Kit& kit, const LabSpec& lab);

}  // namespace kv::grader::cause

#pragma once
// The tests in Python, in the tests/ of each part of the kit: pytest drives ./lab from outside.

#include <string>
#include <vector>

#include "grader/proof/check/check.h"

namespace kv::grader {

struct PythonTests {
  fs::path file;
  std::string title;  // the first line of its docstring
};

std::vector<PythonTests> python_tests(const Kit& kit);

// In one pytest, on all cores. Those with the mark `full` only if it is said.
Checks run_python_tests(const Kit& kit, const std::vector<PythonTests>& tests, bool full);

}  // namespace kv::grader

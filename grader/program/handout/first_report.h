#pragma once
// What README.md shows of the first `./lab grade`.

#include <string>
#include <vector>

#include "grader/program/kit/kit.h"

namespace kv::grader::handout {

struct FirstReport {
  std::vector<std::string> labs;  // "lab 01  Free queue ...", the points and what to write first
  std::string stubs;              // "core stubs left: 55)"
  std::string total;              // "total 0/600 core, +0/199 extra"
};

FirstReport first_report(const Kit& kit, const std::vector<const LabSpec*>& labs);

}  // namespace kv::grader::handout

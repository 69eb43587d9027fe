#pragma once
// What README.md shows of the first `./lab grade`, and how long the labs take.

#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader::handout {

struct FirstReport {
  std::string first_lab;  // "lab 01  Free queue ...", the points and what to write first
  std::string stubs;      // "core stubs left: 55)"
  std::string total;      // "total 0/600 core, +0/199 extra"
  std::string hours;      // "28–41 hours"
};

FirstReport first_report(const Kit& kit, const std::vector<const LabSpec*>& labs);

}  // namespace kv::grader::handout

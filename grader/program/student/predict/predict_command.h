#pragma once
// `./lab predict`: asks the predict questions of a lab's README.

#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct PredictOptions {
  std::string lab = {};
  std::vector<int> questions = {};  // their numbers; empty: all
};

int predict_command(const Kit& kit, const PredictOptions& options);  // the exit code

}  // namespace kv::grader

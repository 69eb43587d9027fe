#pragma once
// `./lab new-lab NN-name`: the files that every lab has, from the template in grader/new_lab/.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct NewLabOptions {
  std::string folder;  // "04-kv-cache-manager"
};

int new_lab_command(const Kit& kit, const NewLabOptions& options);  // throws UsageError

}  // namespace kv::grader

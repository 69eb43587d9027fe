#pragma once
// `./lab watch`.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct WatchOptions {
  std::string lab = {};  // empty: all
  std::string tree = "starter";
};

int watch_command(const Kit& kit, const WatchOptions& options);

}  // namespace kv::grader

#pragma once
// Where the checks build. They share their builds, because tests take long to compile.

#include "grader/program/trial_tree.h"

namespace kv::grader {

inline TrialTree check_tree(const Kit& kit, const std::string& compiler, bool sanitize = false) {
  return {kit,
          {.sanitize = sanitize, .warnings_are_errors = true, .compiler = compiler},
          "check-" + compiler + (sanitize ? "-sanitized" : "")};
}

// With the first compiler that there is.
inline TrialTree check_tree(const Kit& kit) {
  return check_tree(kit, is_installed("g++") ? "g++" : "clang++");
}

}  // namespace kv::grader

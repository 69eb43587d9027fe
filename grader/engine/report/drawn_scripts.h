#pragma once
// Calls for the program of a lab's predict questions, drawn by a seed.

#include <random>
#include <string>
#include <vector>

#include "base/kit/kit.h"

namespace kv::grader {

using Script = std::vector<std::string>;  // calls; the first one makes the object

class DrawnScripts {
 public:
  // From the questions of the README that ask what calls do.
  DrawnScripts(const Kit& kit, const LabSpec& lab, std::uint64_t seed);

  bool empty() const { return scripts_.empty(); }

  // The calls of two of them, mixed. Requires: not empty.
  Script next();

 private:
  const Script& any() { return scripts_[random_() % scripts_.size()]; }

  std::vector<Script> scripts_ = {};
  std::mt19937_64 random_;
};

}  // namespace kv::grader

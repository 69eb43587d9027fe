#pragma once
// The step that a student names on the command line.

#include <string>
#include <vector>

#include "grader/program/base/kit/manifest.h"

namespace kv::grader::steps {

struct NamedStep {
  const LabSpec* lab;
  const StepSpec* step;
};

// words: "2.3", or "2.3 touch" as one word or as two. Throws UsageError, which names the steps that
// could be meant.
NamedStep find_named_step(const Manifest& manifest, const std::vector<std::string>& words);

}  // namespace kv::grader::steps

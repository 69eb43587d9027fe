#pragma once
// Runs a program in both orders of threads with checks, and once more with a profile.

#include "grader/program/base/kit/json.h"
#include "grader/program/base/process/process.h"
#include "grader/program/student/simt/simt.h"

namespace kv::grader {

// How a program that SimtBuild has built runs.
struct SimtRun {
  std::string name;      // "forward", "reverse", "profile"
  std::string schedule;  // "forward", "reverse"
  std::string level = {};
  bool is_profile = false;
  bool has_lockstep = false;
};

// It writes what it found to `report`, as JSON.
Command simt_process(const fs::path& program, const SimtRun& run, const fs::path& report);

// The findings and counts of all runs, as --json writes them.
Json run_simt(const Kit& kit, const SimtOptions& options);

}  // namespace kv::grader

#pragma once
// Runs `./lab` inside of `./lab test`.

#include <map>
#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"
#include "grader/program/base/process/process.h"

namespace kv::grader {

// Why another build folder: the check that calls this holds the lock of its own folder. Checks that
// run at the same time need different ones, or the output says that one waits for the other.
inline Outcome run_lab(const Kit& kit,
                       const std::vector<std::string>& arguments,
                       const std::string& folder = "inner",
                       std::map<std::string, std::string> environment = {}) {
  environment["LAB_BUILD_DIR"] = (kit.build / folder).string();
  Command command{.argv = {kit.program.string()}, .environment = std::move(environment)};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  return run(command);
}

}  // namespace kv::grader

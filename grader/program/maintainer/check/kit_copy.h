#pragma once
// Runs `./lab` inside of `./lab test`: in a copy of the kit, or in the kit itself.

#include <map>
#include <string>
#include <vector>

#include "common/errors.h"
#include "grader/program/base/kit/kit.h"
#include "grader/program/base/process/process.h"
#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

// Runs commands in a copy of the kit, so that a check may damage it.

// A copy of what a build needs, with a build folder of its own.
class KitCopy {
 public:
  explicit KitCopy(const Kit& kit) : root_(kit.build / "a copy with spaces"), kit_(kit) {
    fs::remove_all(root_);
    fs::create_directories(root_);
    for (const char* part : kBuildParts)
      fs::copy(kit.root / part, root_ / part, fs::copy_options::recursive);
  }
  ~KitCopy() { fs::remove_all(root_); }
  KitCopy(const KitCopy&) = delete;
  KitCopy& operator=(const KitCopy&) = delete;

  const fs::path& root() const { return root_; }

  Outcome lab(const std::vector<std::string>& arguments,
              const std::map<std::string, std::string>& environment = {}) const {
    Command command{.argv = {kit_.program.string()}, .environment = environment};
    command.environment.insert({"LAB_ROOT", root_.string()});
    command.environment.insert({"LAB_BUILD_DIR", (root_ / "build").string()});
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    return run(command);
  }

 private:
  fs::path root_;
  const Kit& kit_;
};

inline void expect_sentence(Checks& checks,
                            const std::string& name,
                            const Outcome& outcome,
                            int exit_code,
                            const std::string& says) {
  const bool is_said = outcome.output.find(says) != std::string::npos;
  checks.expect(outcome.exit_code == exit_code && is_said,
                name + ": exit " + std::to_string(exit_code) + ", \"" + says + "\"",
                "exit " + std::to_string(outcome.exit_code) + "\n" + outcome.output);
}

// Runs `./lab` inside of `./lab test`.

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

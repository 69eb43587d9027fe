#pragma once
// The folders and variables of each service as its documentation describes them, on this machine.
// A bundle's own scripts run in them; only `lab`, which would build the whole grading program
// again, is replaced by a script that starts the program that is there.

#include <map>
#include <string>
#include <vector>

#include "grader/program/base/kit/json.h"
#include "grader/program/base/kit/kit.h"
#include "grader/program/base/process/process.h"

namespace kv::grader {

struct Played {
  Outcome outcome = {};
  Json results = nullptr;    // of the file that the service reads; null: there is none
  std::string output = {};   // what was appended to $GITHUB_OUTPUT
  std::string summary = {};  // $GITHUB_STEP_SUMMARY, or the text of the release
};

class ServiceReplica {
 public:
  // Its folder is emptied.
  explicit ServiceReplica(const Kit& kit);

  // Files of a student by their paths.
  void add_submission(const std::string& name, const std::map<std::string, std::string>& files);

  // ./lab bundle SERVICE, into a folder of its own, and the layout around it.
  Outcome make(const std::string& service, const std::vector<std::string>& options);

  // A file of a bundle that was made.
  fs::path file(const std::string& service, const std::string& name) const;
  fs::path autograder() const { return folder_ / "autograder"; }
  fs::path submission(const std::string& name) const { return folder_ / "submissions" / name; }

  Outcome set_up_gradescope() const;
  Played play_gradescope(const std::string& name) const;
  Played play_github(const std::string& name) const;
  Played play_classroom50(const std::string& name,
                          std::map<std::string, std::string> environment = {}) const;

 private:
  void lay_out_gradescope() const;
  void replace_lab(const fs::path& kit) const;
  Outcome run_in(const fs::path& folder,
                 const std::vector<std::string>& argv,
                 const std::map<std::string, std::string>& environment) const;

  const Kit& kit_;
  fs::path folder_;
};

// The commands of a step of a workflow, as its shell gets them.
std::string commands_of_step(const std::string& workflow, const std::string& step);

}  // namespace kv::grader

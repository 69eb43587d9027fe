#pragma once
// `./lab results`: grades one submission and writes what a service reads. The bundles run it.

#include <optional>
#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

inline const std::vector<std::string> kServices = {"gradescope", "github", "classroom50"};
inline const std::vector<std::string> kVisibilities = {"visible", "hidden", "after_due_date",
                                                       "after_published"};

// How a service grades; a bundle hands it on to `./lab results`.
struct ServiceTerms {
  std::vector<std::string> labs = {};  // empty: all
  int wall_seconds = 480;
  std::optional<std::uint64_t> seed = {};
  std::string extra_visibility = "visible";  // Gradescope
};

struct ResultsOptions {
  std::string service;     // of kServices
  std::string submission;  // a folder, however its files are wrapped
  std::string out;         // the file to write
  ServiceTerms terms = {};
};

// The exit code. 3: there is no score, and the student is not at fault. Gradescope then has a
// result that says so, and a GitHub job has a summary; nothing that would replace an earlier score.
int results_command(const Kit& kit, const ResultsOptions& options);

}  // namespace kv::grader

#pragma once
// `./lab bundle`: what a service needs, to grade with this kit.

#include <string>

#include "grader/program/course/services/results_command.h"

namespace kv::grader {

struct BundleOptions {
  std::string service;          // of kServices
  std::string folder;           // new, or empty
  std::string repository = {};  // GitHub: of the kit, as OWNER/NAME or OWNER/NAME@REF
  ServiceTerms terms = {};
};

int bundle_command(const Kit& kit, const BundleOptions& options);  // the exit code

}  // namespace kv::grader

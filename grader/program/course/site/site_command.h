#pragma once
// `./lab site`: builds the course as a site, to be read without a server.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct SiteOptions {
  std::string folder;  // empty: in the build folder
};

int site_command(const Kit& kit, const SiteOptions& options);

}  // namespace kv::grader

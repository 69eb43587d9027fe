#pragma once
// The course as a site: the texts of the kit as pages. docs/site/README.md says how it is made.

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct Site {
  fs::path folder;  // begin at its index.html
  std::size_t num_pages;
  double seconds;
};

// mkdocs: the program, see site_tools.h. Throws UsageError: the folder holds something else. Throws
// KitBroken: a link leads nowhere, or a text has no form that can be read.
Site build_site(const Kit& kit, const fs::path& mkdocs, const fs::path& folder);

}  // namespace kv::grader

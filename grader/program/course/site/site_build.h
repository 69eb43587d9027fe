#pragma once
// The course as a site: the texts of the kit as pages. docs/site/README.md says how it is made.

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

// The programs that make the site: packages of Python, in a folder of their own in the build
// folder.

// Installs what docs/site/requirements.txt names, unless it is there. Throws UsageError.
fs::path installed_mkdocs(const Kit& kit);

// The course as a site: the texts of the kit as pages. docs/site/README.md says how it is made.
struct Site {
  fs::path folder;  // begin at its index.html
  std::size_t num_pages;
  double seconds;
};

// mkdocs: the program. Throws UsageError: the folder holds something else. Throws
// KitBroken: a link leads nowhere, or a text has no form that can be read.
Site build_site(const Kit& kit, const fs::path& mkdocs, const fs::path& folder);

}  // namespace kv::grader

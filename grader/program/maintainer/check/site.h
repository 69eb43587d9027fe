#pragma once
// The course as a site (docs/site/), as the checks build it.

#include "grader/program/course/site/site_build.h"
#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

// Empty, and said to be unavailable, where its tools cannot be installed.
std::optional<Site> built_site(const Kit& kit, Checks& checks);

// A line for each link in the pages of a folder that leads to no file or to no place in it. Links
// to other servers are not followed. num_links: counts them all.
std::string broken_links(const fs::path& folder, std::size_t& num_links);

}  // namespace kv::grader

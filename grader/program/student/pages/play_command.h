#pragma once
// `./lab play`: an event log, or the worked example of a lab, as a page that plays it.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct PlayOptions {
  std::string log;             // a file, or a lab
  std::string html_file = {};  // empty: in the build folder
  bool no_open = false;
};

int play_command(const Kit& kit, const PlayOptions& options);

// The page of a lab's worked example. Throws UsageError: it has none.
void write_example_page(const Kit& kit, const LabSpec& lab, const fs::path& file);

}  // namespace kv::grader

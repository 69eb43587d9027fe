#pragma once
// `./lab play`: an event log, or the worked example of a lab, as a page that plays it.

#include <string>

#include "grader/program/kit/kit.h"

namespace kv::grader {

struct PlayOptions {
  std::string log;             // a file, or a lab
  std::string html_file = {};  // empty: in the build folder
  bool no_open = false;
};

int play_command(const Kit& kit, const PlayOptions& options);

}  // namespace kv::grader

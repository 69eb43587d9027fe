#pragma once
// Event logs: docs/dev/story.md is their form.

#include <string>

#include "common/text.h"

namespace kv::grader::pages {

struct EventLog {
  std::string lines;          // an object a line
  std::size_t num_calls = 0;  // the start is none
};

// Leaves out a last line that is cut off: a log can be read while it is written. Throws UsageError:
// the file is no event log; with the line that is wrong.
EventLog read_event_log(const fs::path& file);

}  // namespace kv::grader::pages

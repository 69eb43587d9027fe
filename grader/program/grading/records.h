#pragma once
// What a test process has sent over its channel (harness/channel.h).

#include <string>
#include <string_view>
#include <vector>

#include "grader/program/grading/story.h"

namespace kv::grader {

struct Records {
  std::vector<std::string> started;
  std::string first_todo;
  std::string wrong;
  Story story;
  std::string history;  // for KV_HISTORY
  std::string spec;
  std::string heading;
  std::vector<std::string> quotes;
  bool passed = false;
  bool ended = false;
  bool done = false;
  int num_forged = 0;
};

// Bytes that do not begin with the nonce are skipped up to the next line and counted as forged.
Records parse_records(std::string_view text, const std::string& nonce);

}  // namespace kv::grader

#pragma once
// The story of a failing test, as its process has sent it (harness/story.h).

#include <string>
#include <string_view>
#include <vector>

#include "grader/harness/story.h"

namespace kv::grader {

class Story {
 public:
  void add_bytes(std::string_view bytes) { bytes_ += bytes; }
  bool empty() const { return bytes_.empty(); }

  // Head, start, then the steps; the last may be missing if the process was killed meanwhile.
  // Empty if there is no story.
  std::vector<StoryRecord> records() const;

  // What the test did, line by line. Empty if there is no story.
  std::string text() const;

 private:
  std::string bytes_;  // Why not the records: those of one story take up to a megabyte.
};

}  // namespace kv::grader

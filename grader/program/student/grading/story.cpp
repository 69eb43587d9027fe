#include "grader/program/student/grading/story.h"

#include "grader/harness/story_text.h"

namespace kv::grader {
namespace {

class Text : public LineSink {
 public:
  void line(std::string_view text) override { lines.append(text).append("\n"); }

  std::string lines;
};

}  // namespace

std::vector<StoryRecord> Story::records() const {
  std::vector<StoryRecord> records;
  std::span<const std::byte> bytes = std::as_bytes(std::span(bytes_));
  while (!bytes.empty()) {
    if (records.emplace_back().read(bytes)) continue;
    records.pop_back();
    break;
  }
  if (records.size() < 2) records.clear();
  return records;
}

std::string Story::text() const {
  const std::vector<StoryRecord> all = records();
  if (all.empty()) return "";
  std::vector<const StoryRecord*> steps;
  for (std::size_t i = 2; i < all.size(); ++i) steps.push_back(&all[i]);
  Text text;
  draw_story({all[0], all[1], steps}, text);
  return text.lines;
}

}  // namespace kv::grader

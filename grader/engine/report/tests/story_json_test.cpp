// The JSON of a story has every key of docs/dev/story.md, and counts what was cut.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/engine/report/report.h"

namespace kv::grader {
namespace {

void add(Story& story, const StoryRecord& record) {
  for (const auto bytes : record.bytes())
    story.add_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string keys_of(const Json& json) {
  std::string keys;
  for (const auto& [key, value] : json.items()) keys += (keys.empty() ? "" : " ") + key;
  return keys;
}

TEST(StoryJson, HasEveryKeyAndCountsWhatWasCut) {
  StoryRecord head, start, step;
  head.begin(3);
  start.begin(0);
  step.begin(3);
  step.add(StoryPart::kState, "free", std::vector<int>(StoryRecord::kMaxItems + 7));
  Story story;
  for (const StoryRecord* record : {&head, &start, &step}) add(story, *record);
  const Json json = json_of(story);
  const Json& last = json["steps"].back();
  EXPECT_EQ(keys_of(json), "format found replay start dropped steps");
  EXPECT_EQ(keys_of(last), "step call args result exception state expected sentence cut");
  EXPECT_EQ(last["cut"], 7);
  EXPECT_EQ(json["dropped"], 2);
}

}  // namespace
}  // namespace kv::grader

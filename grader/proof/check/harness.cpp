#include "grader/engine/report/report.h"
#include "grader/proof/check/check.h"

namespace kv::grader {
namespace {

void add(Story& story, const StoryRecord& record) {
  for (const auto bytes : record.bytes()) {
    story.add_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

std::string keys_of(const Json& json) {
  std::string keys;
  for (const auto& [key, value] : json.items()) keys += (keys.empty() ? "" : " ") + key;
  return keys;
}

// The JSON of a story has every key of docs/dev/story.md, and counts what was cut.
void check_story(Checks& checks) {
  StoryRecord head, start, step;
  head.begin(3);
  start.begin(0);
  step.begin(3);
  step.add(StoryPart::kState, "free", std::vector<int>(StoryRecord::kMaxItems + 7));
  Story story;
  for (const StoryRecord* record : {&head, &start, &step}) add(story, *record);
  const Json json = json_of(story);
  checks.expect(keys_of(json) == "format found replay start dropped steps",
                "a story has every key: " + keys_of(json));
  const Json& last = json["steps"].back();
  checks.expect(keys_of(last) == "step call args result exception state expected sentence cut",
                "a step of a story has every key: " + keys_of(last));
  checks.expect(last["cut"] == 7 && json["dropped"] == 2,
                "what was cut and dropped of a story is counted", json.dump());
}

}  // namespace

void check_harness(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  const fs::path program = build.build(kit.manifest.labs.front(), "solution", "harness_tests");
  const Outcome outcome = run({.argv = {program.string()}});
  checks.expect(outcome.ok(), "comparisons, histories that shrink, counted cost", outcome.output);
  const fs::path given = build.build(kit.manifest.lab("07"), "solution", "lab07_given_tests");
  const Outcome tested = run({.argv = {given.string()}});
  checks.expect(tested.ok(), "what lab 07 gives: tokenizer, sampler, runs of an engine",
                tested.output);
  const fs::path collide = build.build(kit.manifest.lab("03"), "solution", "collide");
  const Outcome found = run({.argv = {collide.string(), "--seed", "7"}});
  checks.expect(found.ok(), "collide finds two blocks with one hash, and checks them",
                found.output);
  check_story(checks);
}

}  // namespace kv::grader

// Requests that are preempted after the model has sampled for them: they get their tokens, can end,
// and compute their output again.

#include "07-serving/tests/recorded_scheduler.h"

namespace kv::grader {
namespace {

constexpr const char* kUpdate = "7.8 update_from_output";

// Two blocks of three tokens, and two requests of three tokens: one is preempted when both grow.
class TwoRequestsTwoBlocks : public testing::Test {
 protected:
  void begin(const SamplingParams& params_of_b = {}) {
    scheduler.add("A", {1, 1, 2});
    scheduler.add("B", {3, 3, 4}, {.sampling_params = params_of_b});
    scheduler.expect_step({.scheduled = {"A 0+3 new", "B 0+3 new"}});
  }

  RecordedScheduler scheduler{{.num_gpu_blocks = 3, .block_size = 3}};
};

TEST_F(TwoRequestsTwoBlocks, OutputIsComputedAgain) {
  SPEC("a preempted request computes its output again, with its prompt", kUpdate,
       "A request gets its token", "7.6 starts over later", "7.4 computes its other tokens");
  begin();
  scheduler.expect_update({{"A", {5}}, {"B", {6}}}, {"A 5", "B 6"});
  scheduler.expect_step({.scheduled = {"A 3+1"}, .preempted = {"B"}});
  scheduler.expect_update({{"A", {7}}}, {"A 7"});
  scheduler.finish({"A"});
  scheduler.expect_step({.scheduled = {"B 0+4 resumed"}, .finished = {"A"}});
  EXPECT_SAME(scheduler.request("B").num_prompt_tokens, 3u) << "the prompt of B is what it was";
  scheduler.expect_update({{"B", {8}}}, {"B 8"});
  EXPECT_SAME(scheduler.request("B").token_ids, Tokens({3, 3, 4, 6, 8})) << "the tokens of B";
  scheduler.audit();
}

TEST_F(TwoRequestsTwoBlocks, ATokenOfAPreemptedRequest) {
  SPEC("a request that is preempted before its token is there gets the token, and resumes with it",
       kUpdate, "A request gets its token");
  begin();
  const SchedulerOutput first = scheduler.step();
  scheduler.expect_update(first, {{"A", {5}}}, {"A 5"});
  scheduler.expect_step({.scheduled = {"A 3+1"}, .preempted = {"B"}});
  scheduler.expect_update({{"A", {7}}}, {"A 7"});
  scheduler.expect_update(first, {{"B", {6}}}, {"B 6"});
  scheduler.expect_waiting({"B"});
  EXPECT_SAME(progress_of(scheduler.raw().waiting()), Names({"B 0/4"})) << "B waits";
  scheduler.finish({"A"});
  scheduler.expect_step({.scheduled = {"B 0+4 resumed"}, .finished = {"A"}});
  scheduler.audit();
}

TEST_F(TwoRequestsTwoBlocks, TheEndOfAPreemptedRequest) {
  SPEC("the token of a request that was preempted meanwhile can end it: it waits no more", kUpdate,
       "until one ends it by the rules of 7.7", "the next step lists it as finished");
  begin({.max_tokens = 1});
  const SchedulerOutput first = scheduler.step();
  scheduler.expect_update(first, {{"A", {5}}}, {"A 5"});
  scheduler.expect_step({.scheduled = {"A 3+1"}, .preempted = {"B"}});
  scheduler.expect_update(first, {{"B", {6}}}, {"B 6 length"});
  scheduler.expect_waiting({});
  EXPECT_HOLDS(!scheduler.raw().has_request("B")) << "B has ended";
  scheduler.expect_update({{"A", {7}}}, {"A 7"});
  scheduler.expect_step({.scheduled = {"A 4+1"}, .finished = {"B"}});
  scheduler.audit();
}

TEST(UpdateFromOutput, OutputIsLimitedLikeAPrompt) {
  SPEC("output that is computed again has the limits of a prompt", kUpdate,
       "7.4 at most long_prefill_token_threshold", "7.5 with the limits of 7.4");
  RecordedScheduler scheduler({.num_gpu_blocks = 9,
                               .block_size = 1,
                               .long_prefill_token_threshold = 2,
                               .enable_caching = false});
  scheduler.add("A", {1, 2});
  scheduler.add("B", {3, 4});
  for (int i = 0; i < 3; ++i) {
    scheduler.schedule();
    scheduler.expect_update({{"A", {5}}, {"B", {6}}}, {"A 5", "B 6"});
  }
  scheduler.expect_step({.scheduled = {"A 4+1"}, .preempted = {"B"}});
  scheduler.finish({"A"});
  scheduler.expect_step({.scheduled = {"B 0+2 resumed"}, .finished = {"A"}});
  scheduler.expect_step({.scheduled = {"B 2+2"}});
  scheduler.expect_step({.scheduled = {"B 4+1"}});
}

}  // namespace
}  // namespace kv::grader

// A running request gets no blocks: who is preempted, what is kept, and who goes on.

#include "07-serving/tests/recorded_scheduler.h"

namespace kv::grader {
namespace {

constexpr const char* kPreempt = "7.6 preempt_request";

// Five blocks of two tokens. A, B and C have six tokens, and compute two in a step: after two
// steps, no block is left.
class Pressure : public testing::Test {
 protected:
  void begin() {
    for (const char* name : {"A", "B", "C"}) scheduler.add(name, Tokens(6, name[0]));
    scheduler.expect_step({.scheduled = {"A 0+2 new", "B 0+2 new", "C 0+2 new"}});
  }

  RecordedScheduler scheduler{
      {.num_gpu_blocks = 6, .block_size = 2, .long_prefill_token_threshold = 2}};
};

TEST_F(Pressure, TheVictimIsTheLastOne) {
  SPEC("without a free block the last one is preempted: its blocks are free, and it waits first",
       kPreempt, "7.5 When there are too few blocks", "7.5 request that was admitted last",
       "out of its blocks", "waits before all others", "lists it as preempted");
  begin();
  scheduler.add("D", {1});
  scheduler.expect_step({.scheduled = {"A 2+2", "B 2+2"}, .preempted = {"C"}});
  scheduler.expect_running({"A", "B"});
  scheduler.expect_waiting({"C", "D"});
  scheduler.expect_table("C", {});
  scheduler.expect_free({3});
  scheduler.expect_step({.scheduled = {"A 4+2"}, .preempted = {"B"}});
  scheduler.expect_waiting({"B", "C", "D"});
  scheduler.expect_table("A", {1, 4, 3});
  scheduler.expect_free({5, 2});
  scheduler.audit();
}

// C begins with a block of X, which has ended.
void expect_hits_are_kept() {
  RecordedScheduler scheduler(
      {.num_gpu_blocks = 6, .block_size = 2, .long_prefill_token_threshold = 2});
  scheduler.add("X", {9, 9, 9});
  scheduler.schedule();
  scheduler.finish({"X"});
  for (const char* name : {"A", "B"}) scheduler.add(name, Tokens(6, name[0]));
  scheduler.add("C", {9, 9, 3, 3, 3, 3});
  scheduler.expect_step({.scheduled = {"A 0+2 new", "B 0+2 new", "C 2+2 new"}, .finished = {"X"}});
  EXPECT_SAME(scheduler.request("C").num_cached_tokens, 2u) << "C was admitted with two hits";
  scheduler.expect_step({.scheduled = {"A 2+2", "B 2+2"}, .preempted = {"C"}});
  EXPECT_SAME(scheduler.request("C").num_cached_tokens, 2u)
      << "num_cached_tokens says what was found when C was admitted first";
}

TEST_F(Pressure, WhatIsKept) {
  SPEC("a preempted request starts over: nothing of it is computed; it keeps its tokens and hashes",
       kPreempt, "starts over later");
  begin();
  EXPECT_SAME(scheduler.request("C").num_preemptions, 0u) << "C was not preempted yet";
  scheduler.expect_step({.scheduled = {"A 2+2", "B 2+2"}, .preempted = {"C"}});
  const ServedRequest& request = scheduler.request("C");
  EXPECT_SAME(request.num_computed_tokens, 0u) << "computed tokens of C";
  EXPECT_HOLDS(request.status == RequestStatus::kPreempted) << "C should be kPreempted";
  EXPECT_SAME(request.num_preemptions, 1u) << "C was preempted once";
  EXPECT_SAME(request.token_ids, Tokens(6, 'C')) << "the tokens of C";
  EXPECT_SAME(request.num_prompt_tokens, 6u) << "the prompt of C";
  EXPECT_SAME(request.block_hashes.size(), 3u) << "the hashes of C";
  EXPECT_SAME(scheduler.request("B").num_preemptions, 0u) << "B goes on";
  expect_hits_are_kept();
}

TEST_F(Pressure, ResumesWithItsOwnBlocks) {
  SPEC(
      "a preempted request resumes, which step 7.4 sees by the status that it had, with the blocks "
      "of its own that are still cached",
      kPreempt, "starts over later", "7.4 admitted with its hits");
  begin();
  scheduler.expect_step({.scheduled = {"A 2+2", "B 2+2"}, .preempted = {"C"}});
  scheduler.expect_step({.scheduled = {"A 4+2"}, .preempted = {"B"}});
  scheduler.finish({"A"});
  scheduler.expect_step(
      {.scheduled = {"B 4+2 resumed", "C 0+2 resumed"}, .finished = {"A"}});  // A took #3 of C
  scheduler.expect_table("B", {2, 5, 3});
  scheduler.expect_running({"B", "C"});
  EXPECT_SAME(scheduler.request("B").num_preemptions, 1u) << "B was preempted once";
  scheduler.audit();
}

TEST_F(Pressure, APreemptedRequestIsAborted) {
  SPEC("a preempted request can be aborted: it waits no more, and is listed once", kPreempt,
       "7.2 whether they wait or run", "7.2 lists them as finished");
  begin();
  scheduler.expect_step({.scheduled = {"A 2+2", "B 2+2"}, .preempted = {"C"}});
  scheduler.finish({"C"});
  scheduler.expect_waiting({});
  scheduler.expect_free({3});
  EXPECT_HOLDS(!scheduler.raw().has_request("C")) << "C is forgotten";
  scheduler.expect_step({.scheduled = {"A 4+2"}, .preempted = {"B"}, .finished = {"C"}});
  scheduler.audit();
}

TEST_F(Pressure, AnIdThatWasPreemptedIsNewAgain) {
  SPEC("another request with the id of one that was preempted and aborted is a new one", kPreempt,
       "lists it as preempted");
  begin();
  scheduler.expect_step({.scheduled = {"A 2+2", "B 2+2"}, .preempted = {"C"}});
  scheduler.finish({"A", "B", "C"});
  scheduler.add("C", {1, 2});
  scheduler.expect_step({.scheduled = {"C 0+2 new"}, .finished = {"A", "B", "C"}});
  EXPECT_SAME(scheduler.request("C").num_preemptions, 0u) << "this C was never preempted";
}

TEST(PreemptRequest, NobodyIsAdmittedInThisStep) {
  SPEC(
      "in a step with a preemption nobody is admitted, though blocks are free; in the next one, "
      "yes",
      kPreempt, "7.3 if none was preempted for them");
  RecordedScheduler scheduler({.num_gpu_blocks = 6,
                               .block_size = 2,
                               .long_prefill_token_threshold = 2,
                               .enable_caching = false});
  scheduler.add("A", Tokens(6, 1));
  scheduler.add("B", Tokens(6, 2));
  scheduler.expect_step({.scheduled = {"A 0+2 new", "B 0+2 new"}});
  scheduler.expect_step({.scheduled = {"A 2+2", "B 2+2"}});
  scheduler.add("C", {3});
  scheduler.expect_step({.scheduled = {"A 4+2"}, .preempted = {"B"}});
  scheduler.expect_free({4, 2});
  scheduler.expect_step({.scheduled = {"B 0+2 resumed", "C 0+1 new"}});
  scheduler.audit();
}

TEST(PreemptRequest, SeveralVictims) {
  SPEC("as many are preempted as it takes, those without tokens to compute too, and no more",
       kPreempt, "7.5 until there are enough", "waits before all others", "lists it as preempted");
  RecordedScheduler scheduler(
      {.num_gpu_blocks = 8, .block_size = 2, .long_prefill_token_threshold = 6});
  scheduler.add("A", Tokens(12, 1));
  for (const char* name : {"B", "C", "D", "E"}) scheduler.add(name, {name[0], 1});
  scheduler.expect_step(
      {.scheduled = {"A 0+6 new", "B 0+2 new", "C 0+2 new", "D 0+2 new", "E 0+2 new"}});
  scheduler.add("F", {7});
  scheduler.expect_step({.scheduled = {"A 6+6"}, .preempted = {"E", "D", "C"}});
  scheduler.expect_waiting({"C", "D", "E", "F"});
  scheduler.expect_running({"A", "B"});
  scheduler.expect_table("A", {1, 2, 3, 7, 6, 5});
  scheduler.audit();
}

TEST(PreemptRequest, TheOldestGoesOn) {
  SPEC("the request that has run the longest computes in every step, so all of them end", kPreempt,
       "7.5 request that was admitted last");
  RecordedScheduler scheduler({.num_gpu_blocks = 6,
                               .block_size = 2,
                               .max_num_batched_tokens = 5,
                               .long_prefill_token_threshold = 2});
  for (const char* name : {"A", "B", "C", "D"}) scheduler.add(name, Tokens(9, name[0]));
  std::size_t num_preempted = 0;
  for (const std::string oldest : {"A", "B", "C", "D"}) {
    for (int num_steps = 0; scheduler.raw().has_request(oldest); ++num_steps) {
      scheduler.schedule();
      num_preempted += scheduler.step().preempted_req_ids.size();
      Names names = names_scheduled_by(scheduler.step());
      names.resize(1);
      ASSERT_SAME(names, Names{oldest}) << "I16: the oldest goes on, before all others";
      ASSERT_SAME(num_steps < 5, true) << "nine tokens, two in a step";
      if (scheduler.request(oldest).num_computed_tokens == 9) scheduler.finish({oldest});
    }
  }
  EXPECT_HOLDS(num_preempted > 0) << "five blocks are too few for all";
  scheduler.audit();
}

TEST(PreemptRequest, SharedBlocksStay) {
  SPEC("blocks that another request holds stay in use when one of their users is preempted",
       kPreempt, "out of its blocks");
  RecordedScheduler scheduler(
      {.num_gpu_blocks = 6, .block_size = 2, .long_prefill_token_threshold = 4});
  scheduler.add("A", {1, 1, 2, 2, 3, 3, 4, 4, 5});
  scheduler.add("B", {1, 1, 2, 2, 6, 6});
  scheduler.expect_step({.scheduled = {"A 0+4 new", "B 4+2 new"}});
  scheduler.expect_step({.scheduled = {"A 4+4"}});
  scheduler.expect_step({.scheduled = {"A 8+1"}, .preempted = {"B"}});
  scheduler.expect_table("A", {1, 2, 4, 5, 3});
  scheduler.audit();
}

}  // namespace
}  // namespace kv::grader

// The first step of requests: which are admitted, with which hits, and how many tokens they get.
// Each scheduler makes a step only while none of its requests runs.

#include "07-serving/tests/many_requests.h"

namespace kv::grader {
namespace {

constexpr const char* kAdmit = "7.4 schedule_waiting";

TEST(ScheduleWaiting, TheNextOneFirst) {
  SPEC("waiting requests are admitted in their order, and get blocks for all their tokens", kAdmit,
       "the next one first", "computes its other tokens");
  RecordedScheduler scheduler({});
  scheduler.add("B", {1, 2, 3, 4, 5});
  scheduler.add("A", {6, 7, 8});
  scheduler.expect_step({.scheduled = {"B 0+5 new", "A 0+3 new"}});
  scheduler.expect_waiting({});
  scheduler.expect_running({"B", "A"});
  scheduler.expect_table("B", {1, 2});
  scheduler.expect_table("A", {3});
  scheduler.audit();
}

TEST(ScheduleWaiting, CountsAsComputedAtOnce) {
  SPEC("what a step schedules is computed for the steps after it", kAdmit,
       "7.3 counts as computed from here on");
  RecordedScheduler scheduler({.max_num_batched_tokens = 7});
  scheduler.add("A", {1, 2, 3, 4, 5});
  scheduler.add("B", {6, 7, 8});
  scheduler.expect_step({.scheduled = {"A 0+5 new", "B 0+2 new"}});
  EXPECT_SAME(progress_of(scheduler.raw().running()), Names({"A 5/5", "B 2/3"}))
      << "computed and known tokens of the running requests";
}

TEST(ScheduleWaiting, WhileTheStepHasRoom) {
  SPEC("the last one that is admitted gets what is left, and none is admitted without a token",
       kAdmit, "while the step has room", "at most what the step has room for");
  for (const auto& [num_tokens, expected] : {std::pair<std::size_t, Names>{4, {"A 0+4 new"}},
                                             {5, {"A 0+5 new"}},
                                             {6, {"A 0+5 new", "B 0+1 new"}},
                                             {8, {"A 0+5 new", "B 0+3 new"}},
                                             {9, {"A 0+5 new", "B 0+3 new", "C 0+1 new"}}}) {
    RecordedScheduler scheduler({.max_num_batched_tokens = num_tokens});
    scheduler.add("A", {1, 2, 3, 4, 5});
    scheduler.add("B", {6, 7, 8});
    scheduler.add("C", {9, 9});
    scheduler.expect_step({.scheduled = expected});
    scheduler.audit();
  }
}

TEST(ScheduleWaiting, FewerThanMaxNumSeqsRun) {
  SPEC("at most max_num_seqs requests are admitted, however much room is left", kAdmit,
       "fewer than max_num_seqs run");
  for (const std::size_t max_num_seqs : {1u, 2u, 3u}) {
    RecordedScheduler scheduler({.max_num_seqs = max_num_seqs});
    Names expected;
    for (const char* name : {"A", "B", "C"}) {
      scheduler.add(name, {1});
      expected.push_back(std::string(name) + " 0+1 new");
    }
    expected.resize(max_num_seqs);
    scheduler.expect_step({.scheduled = expected});
    scheduler.audit();
  }
  if (!HasFailure()) expect_many_admitted();
}

TEST(ScheduleWaiting, AtMostTheThreshold) {
  SPEC("long_prefill_token_threshold limits what one request computes in a step", kAdmit,
       "at most long_prefill_token_threshold");
  RecordedScheduler scheduler({.max_num_batched_tokens = 9, .long_prefill_token_threshold = 3});
  scheduler.add("A", Tokens(5, 1));
  scheduler.add("B", {2, 2});
  scheduler.add("C", Tokens(3, 3));
  scheduler.add("D", Tokens(5, 4));
  scheduler.expect_step({.scheduled = {"A 0+3 new", "B 0+2 new", "C 0+3 new", "D 0+1 new"}});
  RecordedScheduler small({.max_num_batched_tokens = 2, .long_prefill_token_threshold = 3});
  small.add("A", {1, 2, 3, 4, 5});
  small.expect_step({.scheduled = {"A 0+2 new"}});
  if (!HasFailure()) expect_large_threshold();
}

TEST(ScheduleWaiting, HitsInOneStep) {
  SPEC(
      "a request shares the blocks of one that is admitted in the same step, though nothing is "
      "computed yet",
      kAdmit, "admitted with its hits", "computes its other tokens");
  RecordedScheduler scheduler({.block_size = 2});
  scheduler.add("A", {1, 2, 3, 4, 5});
  scheduler.add("B", {1, 2, 3, 4, 6});
  scheduler.add("C", {1, 2, 7});
  scheduler.expect_step({.scheduled = {"A 0+5 new", "B 4+1 new", "C 2+1 new"}});
  scheduler.expect_table("A", {1, 2, 3});
  scheduler.expect_table("B", {1, 2, 4});
  scheduler.expect_table("C", {1, 5});
  EXPECT_SAME(progress_of(scheduler.raw().running()), Names({"A 5/5", "B 5/5", "C 3/3"}))
      << "hits count as computed";
  scheduler.audit();
}

TEST(ScheduleWaiting, HitsTakeNoRoom) {
  SPEC("tokens that are found are not computed, so the step has room for others", kAdmit,
       "computes its other tokens", "at most what the step has room for");
  RecordedScheduler scheduler({.block_size = 2, .max_num_batched_tokens = 8});
  scheduler.add("A", {1, 2, 3, 4, 5});
  scheduler.add("B", {1, 2, 3, 4, 6});
  scheduler.add("C", {7, 8, 9});
  scheduler.expect_step({.scheduled = {"A 0+5 new", "B 4+1 new", "C 0+2 new"}});
}

TEST(ScheduleWaiting, HitsAreNoPartOfTheThreshold) {
  SPEC("the threshold limits the tokens that are computed, not those that are found", kAdmit,
       "at most long_prefill_token_threshold");
  RecordedScheduler scheduler({.block_size = 2, .long_prefill_token_threshold = 4});
  scheduler.add("A", {1, 2, 3, 4, 5});
  scheduler.add("B", {1, 2, 3, 4, 6, 7, 8, 9, 10});
  scheduler.expect_step({.scheduled = {"A 0+4 new", "B 4+4 new"}});
}

// Its id is free for another one then, and was not before.
void expect_id_of_a_running_one() {
  RecordedScheduler scheduler({});
  scheduler.add("A", {1, 2, 3});
  scheduler.expect_step({.scheduled = {"A 0+3 new"}});
  scheduler.expect_add_refused(scheduler.request_of("A", {4}), "A runs");
  scheduler.finish({"A"});
  scheduler.add("A", {4});
  scheduler.expect_step({.scheduled = {"A 0+1 new"}, .finished = {"A"}});
}

void expect_aborted_in_order() {
  RecordedScheduler scheduler({.num_gpu_blocks = 6, .block_size = 2});
  scheduler.add("A", {1, 2, 3});
  scheduler.add("B", {4, 5});
  scheduler.expect_step({.scheduled = {"A 0+3 new", "B 0+2 new"}});
  scheduler.finish({"B", "A"});
  scheduler.expect_free({4, 5, 3, 2, 1});
}

TEST(FinishRequests, ThoseThatRun) {
  SPEC("the blocks of an aborted request are free at once, the last one first; others keep theirs",
       kAdmit, "7.2 one after the other", "7.2 whether they wait or run",
       "7.2 their blocks are free at once", "7.2 lists them as finished",
       "7.1 an id that has a request");
  RecordedScheduler scheduler({.num_gpu_blocks = 8, .block_size = 2, .max_num_seqs = 2});
  scheduler.add("A", {1, 2, 3, 4, 5});
  scheduler.add("B", {1, 2, 3, 4, 6, 7});
  scheduler.add("C", {8});
  scheduler.expect_step({.scheduled = {"A 0+5 new", "B 4+2 new"}});
  scheduler.finish({"C", "A"});
  scheduler.expect_running({"B"});
  scheduler.expect_waiting({});
  scheduler.expect_free({5, 6, 7, 3});
  scheduler.expect_table("B", {1, 2, 4});
  scheduler.audit();
  scheduler.finish({"B"});
  scheduler.expect_free({5, 6, 7, 3, 4, 2, 1});
  scheduler.expect_running({});
  scheduler.expect_step({.finished = {"A", "B", "C"}});
  scheduler.audit();
  expect_id_of_a_running_one();
  expect_aborted_in_order();
}

TEST(ScheduleWaiting, HitsOfRequestsThatAreGone) {
  SPEC("free blocks that are still cached are hits, and the last token is computed anyway", kAdmit,
       "admitted with its hits");
  RecordedScheduler scheduler({.num_gpu_blocks = 6, .block_size = 2});
  scheduler.add("A", {1, 2, 3, 4, 5});
  scheduler.expect_step({.scheduled = {"A 0+5 new"}});
  scheduler.finish({"A"});
  scheduler.add("B", {1, 2, 3, 4});
  scheduler.add("C", {1, 2, 3, 4, 5, 6});
  scheduler.expect_step({.scheduled = {"B 2+2 new", "C 4+2 new"}, .finished = {"A"}});
  scheduler.expect_table("B", {1, 4});
  scheduler.expect_table("C", {1, 2, 5});
  scheduler.audit();
}

TEST(ScheduleWaiting, WithCachingOff) {
  SPEC("with caching off every token is computed", kAdmit, "computes its other tokens");
  RecordedScheduler scheduler({.block_size = 2, .enable_caching = false});
  scheduler.add("A", {1, 2, 3, 4, 5});
  scheduler.add("B", {1, 2, 3, 4, 5});
  scheduler.expect_step({.scheduled = {"A 0+5 new", "B 0+5 new"}});
  scheduler.expect_common(0);
}

TEST(ScheduleWaiting, TheFirstThatGetsNoBlocksStopsAll) {
  SPEC("a request without blocks waits, and so do shorter ones after it", kAdmit,
       "The first that gets no blocks", "waits, and all after it");
  RecordedScheduler scheduler({.num_gpu_blocks = 6, .block_size = 2});
  scheduler.add("A", {1, 2, 3, 4, 5, 6});
  scheduler.add("B", {1, 2, 9, 9, 9, 9, 9, 9});  // it needs three, and shares one
  scheduler.add("C", {7});
  scheduler.expect_step({.scheduled = {"A 0+6 new"}});
  scheduler.expect_waiting({"B", "C"});
  scheduler.expect_running({"A"});
  scheduler.expect_free({4, 5});
  scheduler.expect_ref_cnt(1, 1);
  EXPECT_SAME(progress_of(scheduler.raw().waiting()), Names({"B 0/8", "C 0/1"}))
      << "nothing of a request that waits is computed";
  scheduler.audit();
}

TEST(ScheduleWaiting, WithoutChunkedPrefill) {
  SPEC("with chunked prefill off, a prompt that has too little room waits, and all after it",
       kAdmit, "too little room while chunked prefill is off", "waits, and all after it");
  for (const bool enable_chunked_prefill : {true, false}) {
    RecordedScheduler scheduler({.max_num_batched_tokens = 12,
                                 .max_model_len = 12,
                                 .enable_chunked_prefill = enable_chunked_prefill});
    scheduler.add("A", Tokens(8, 1));
    scheduler.add("B", Tokens(4, 2));
    scheduler.add("C", Tokens(1, 3));
    scheduler.expect_step({.scheduled = {"A 0+8 new", "B 0+4 new"}});
    scheduler.finish({"A", "B", "C"});
    scheduler.add("D", Tokens(9, 4));
    scheduler.add("E", Tokens(4, 5));
    scheduler.add("F", Tokens(1, 6));
    Names expected = {"D 0+9 new"};
    if (enable_chunked_prefill) expected.push_back("E 0+3 new");
    scheduler.expect_step({.scheduled = expected, .finished = {"A", "B", "C"}});
    scheduler.audit();
  }
  expect_long_prompt_to_wait();
}

TEST(ScheduleWaiting, WithoutChunkedPrefillHitsCount) {
  SPEC("what has too little room is what is computed: hits, and the threshold, make it less",
       kAdmit, "too little room while chunked prefill is off");
  const SchedulerSizes sizes = {.block_size = 2,
                                .max_num_batched_tokens = 9,
                                .max_model_len = 9,
                                .enable_chunked_prefill = false};
  RecordedScheduler scheduler(sizes);
  scheduler.add("A", {1, 2, 3, 4, 5, 6, 7});
  scheduler.add("B", {1, 2, 3, 4, 5, 6, 8});
  scheduler.add("C", {9});
  scheduler.expect_step({.scheduled = {"A 0+7 new", "B 6+1 new", "C 0+1 new"}});
  SchedulerSizes with_threshold = sizes;
  with_threshold.long_prefill_token_threshold = 4;
  RecordedScheduler limited(with_threshold);
  limited.add("A", Tokens(8, 1));
  limited.add("B", Tokens(7, 2));
  limited.add("C", Tokens(2, 3));
  limited.expect_step({.scheduled = {"A 0+4 new", "B 0+4 new"}});
  limited.expect_waiting({"C"});
}

TEST(ScheduleWaiting, TheWholePromptMustFit) {
  SPEC(
      "with scheduler_reserve_full_isl a request is admitted only if all its tokens would get "
      "blocks, though it takes those of the step only",
      kAdmit, "With scheduler_reserve_full_isl it needs blocks for all its tokens",
      "The first that gets no blocks");
  for (const bool must_fit : {true, false}) {
    RecordedScheduler scheduler({.num_gpu_blocks = 6,
                                 .block_size = 2,
                                 .long_prefill_token_threshold = 2,
                                 .scheduler_reserve_full_isl = must_fit});
    scheduler.add("A", Tokens(7, 1));
    scheduler.add("B", Tokens(9, 2));  // five blocks, and four are free
    scheduler.add("C", Tokens(1, 3));
    Names expected = {"A 0+2 new"};
    if (!must_fit) expected.insert(expected.end(), {"B 0+2 new", "C 0+1 new"});
    scheduler.expect_step({.scheduled = expected});
    scheduler.expect_table("A", {1});
    scheduler.audit();
  }
}

TEST(ScheduleWaiting, CommonPrefix) {
  SPEC("a step says with how many blocks all running requests begin", kAdmit,
       "7.3 counts the blocks that all running requests begin with");
  RecordedScheduler scheduler({.block_size = 2});
  scheduler.add("A", {1, 2, 3, 4, 5, 6});
  scheduler.expect_step({.scheduled = {"A 0+6 new"}});
  scheduler.expect_common(3);
  scheduler.finish({"A"});
  scheduler.add("B", {1, 2, 3, 4, 7});
  scheduler.add("C", {1, 2, 8, 8});
  scheduler.add("D", {9, 9});
  scheduler.finish({"D"});
  scheduler.expect_step({.scheduled = {"B 4+1 new", "C 2+2 new"}, .finished = {"A", "D"}});
  scheduler.expect_common(1);
}

}  // namespace
}  // namespace kv::grader

// Requests that run, while there are blocks for all. No test here says what the model has sampled:
// a prompt in several steps is enough.

#include "07-serving/tests/many_requests.h"

namespace kv::grader {
namespace {

constexpr const char* kGoOn = "7.5 schedule_running";

void expect_many_to_go_on() {
  log_step("two steps of 65,540 requests, which compute one token in each");
  ManyRequests many(1);
  many.add(kMany, 2);
  many.scheduler.schedule();
  EXPECT_SAME(many.scheduler.schedule().scheduled.size(), kMany) << "requests that go on";
}

void expect_long_chunk() {
  RecordedScheduler scheduler(
      {.num_gpu_blocks = 3, .block_size = 70'000, .max_num_batched_tokens = 65'536 + 10});
  scheduler.add("A", Tokens(65'536, 1));
  scheduler.add("B", Tokens(65'536 + 10, 2));
  scheduler.expect_step({.scheduled = {"A 0+65536 new", "B 0+10 new"}});
  scheduler.expect_step({.scheduled = {"B 10+65536"}});
}

// A has blocks of two lookahead tokens in its table.
void expect_blocks_without_tokens_counted() {
  RecordedScheduler scheduler({.block_size = 1, .long_prefill_token_threshold = 1});
  scheduler.add("A", {1, 4});
  scheduler.schedule();
  scheduler.manager().allocate_slots(scheduler.request("A"), 1, {.num_lookahead_tokens = 2});
  scheduler.expect_step({.scheduled = {"A 1+1"}});
  scheduler.expect_table("A", {1, 2, 3, 4});
  scheduler.expect_common(4);
}

TEST(ScheduleRunning, APartAtATime) {
  SPEC("a request goes on after its computed tokens until all are computed, then it is skipped",
       kGoOn, "computes its tokens that are not computed", "one that has none is skipped",
       "7.3 can be scheduled before the one before it has been computed");
  RecordedScheduler scheduler({.max_num_batched_tokens = 4});
  scheduler.add("A", Tokens(10, 1));
  scheduler.expect_step({.scheduled = {"A 0+4 new"}});
  scheduler.expect_step({.scheduled = {"A 4+4"}});
  scheduler.expect_step({.scheduled = {"A 8+2"}});
  scheduler.expect_table("A", {1, 2, 3});
  for (int i = 0; i < 2; ++i) {
    scheduler.expect_step({});
    scheduler.expect_common(3);
  }
  scheduler.expect_running({"A"});
  scheduler.expect_table("A", {1, 2, 3});
  scheduler.audit();
  if (!HasFailure()) expect_long_chunk();
  if (!HasFailure()) expect_many_to_go_on();
  if (!HasFailure()) expect_blocks_without_tokens_counted();
}

TEST(ScheduleRunning, RunningOnesFirst) {
  SPEC("running requests come before waiting ones, which get what is left of the step", kGoOn,
       "7.3 running requests first", "while the step has room");
  RecordedScheduler scheduler({.max_num_batched_tokens = 4});
  scheduler.add("A", Tokens(10, 1));
  scheduler.expect_step({.scheduled = {"A 0+4 new"}});
  scheduler.add("B", Tokens(3, 2));
  scheduler.expect_step({.scheduled = {"A 4+4"}});
  scheduler.expect_waiting({"B"});
  scheduler.expect_step({.scheduled = {"A 8+2", "B 0+2 new"}});
  scheduler.expect_step({.scheduled = {"B 2+1"}});
  scheduler.audit();
}

TEST(ScheduleRunning, InTheOrderOfAdmission) {
  SPEC("the request that was admitted first is the first of each step; the last one gets the rest",
       kGoOn, "in their order", "with the limits of 7.4");
  RecordedScheduler scheduler({.max_num_batched_tokens = 7, .long_prefill_token_threshold = 3});
  for (const char* name : {"C", "A", "B"}) scheduler.add(name, Tokens(7, name[0]));
  scheduler.expect_step({.scheduled = {"C 0+3 new", "A 0+3 new", "B 0+1 new"}});
  scheduler.expect_step({.scheduled = {"C 3+3", "A 3+3", "B 1+1"}});
  scheduler.expect_step({.scheduled = {"C 6+1", "A 6+1", "B 2+3"}});
  scheduler.expect_step({.scheduled = {"B 5+2"}});
  scheduler.expect_running({"C", "A", "B"});
}

TEST(ScheduleRunning, OneWithoutTokensIsSkipped) {
  SPEC("a request whose tokens are all computed is skipped, and those after it go on", kGoOn,
       "one that has none is skipped");
  RecordedScheduler scheduler({.max_num_batched_tokens = 6});
  scheduler.add("A", Tokens(2, 1));
  scheduler.add("B", Tokens(9, 2));
  scheduler.add("C", Tokens(4, 3));
  scheduler.expect_step({.scheduled = {"A 0+2 new", "B 0+4 new"}});
  scheduler.expect_step({.scheduled = {"B 4+5", "C 0+1 new"}});
  scheduler.expect_step({.scheduled = {"C 1+3"}});
  scheduler.expect_step({});
  scheduler.expect_running({"A", "B", "C"});
}

TEST(ScheduleRunning, ABlockWhenOneIsFull) {
  SPEC("a part that fits into the last block takes no new one", kGoOn,
       "computes its tokens that are not computed");
  RecordedScheduler scheduler({.num_gpu_blocks = 6, .long_prefill_token_threshold = 3});
  scheduler.add("A", Tokens(10, 1));
  for (const Ids& table : {Ids{1}, {1, 2}, {1, 2, 3}, {1, 2, 3}}) {
    scheduler.schedule();
    scheduler.expect_table("A", table);
  }
  scheduler.expect_free({4, 5});
  scheduler.audit();
}

TEST(ScheduleRunning, FewerThanMaxNumSeqs) {
  SPEC("running requests count for max_num_seqs, those without tokens too", kGoOn,
       "7.4 fewer than max_num_seqs run");
  RecordedScheduler scheduler({.max_num_seqs = 2});
  for (const char* name : {"A", "B", "C", "D"}) scheduler.add(name, {1});
  scheduler.expect_step({.scheduled = {"A 0+1 new", "B 0+1 new"}});
  scheduler.expect_step({});
  scheduler.expect_waiting({"C", "D"});
  scheduler.finish({"A"});
  scheduler.expect_step({.scheduled = {"C 0+1 new"}, .finished = {"A"}});
  scheduler.expect_running({"B", "C"});
  scheduler.expect_waiting({"D"});
}

TEST(ScheduleRunning, NobodyGivesWayToAWaitingOne) {
  SPEC("a waiting request that gets no blocks waits: for it, no request is preempted", kGoOn,
       "7.4 The first that gets no blocks");
  RecordedScheduler scheduler({.num_gpu_blocks = 6, .block_size = 2});
  scheduler.add("A", Tokens(4, 1));
  scheduler.add("B", Tokens(4, 2));
  scheduler.expect_step({.scheduled = {"A 0+4 new", "B 0+4 new"}});
  scheduler.add("C", Tokens(3, 3));
  scheduler.expect_step({});
  scheduler.expect_running({"A", "B"});
  scheduler.expect_waiting({"C"});
  scheduler.finish({"A"});
  scheduler.expect_step({.scheduled = {"C 0+3 new"}, .finished = {"A"}});
}

TEST(ScheduleRunning, AfterAnAbort) {
  SPEC("when one of them is aborted, the others go on where they were", kGoOn, "in their order",
       "7.2 their blocks are free at once", "7.3 Lists once each request that ended");
  RecordedScheduler scheduler({.max_num_batched_tokens = 9, .long_prefill_token_threshold = 3});
  for (const char* name : {"A", "B", "C"}) scheduler.add(name, Tokens(8, name[0]));
  scheduler.expect_step({.scheduled = {"A 0+3 new", "B 0+3 new", "C 0+3 new"}});
  scheduler.finish({"B"});
  scheduler.expect_step({.scheduled = {"A 3+3", "C 3+3"}, .finished = {"B"}});
  scheduler.expect_running({"A", "C"});
  scheduler.expect_table("B", {});
  scheduler.audit();
  scheduler.finish({"A", "C"});
  scheduler.schedule();  // it has nothing to compute, and lists both
  scheduler.add("D", {1});
  scheduler.expect_step({.scheduled = {"D 0+1 new"}});
}

}  // namespace
}  // namespace kv::grader

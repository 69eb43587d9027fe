// The model has computed a step: tokens, ends, and steps that were scheduled before that.

#include "07-serving/tests/end_rules.h"
#include "07-serving/tests/many_requests.h"

namespace kv::grader {
namespace {

constexpr const char* kUpdate = "7.8 update_from_output";

void expect_many_tokens() {
  log_step("update_from_output with a token for each of 65,540 requests");
  ManyRequests many;
  many.add(kMany, 1);
  const SchedulerOutput step = many.scheduler.schedule();
  const std::vector<Tokens> sampled(kMany, {7});
  EXPECT_SAME(many.scheduler.update_from_output(step, sampled).size(), kMany)
      << "requests that got a token";
}

TEST(UpdateFromOutput, ATokenForEach) {
  SPEC("each request gets its token, which is computed in the next step", kUpdate,
       "A request gets its token", "Gives the requests that got tokens");
  RecordedScheduler scheduler({});
  scheduler.add("B", {1, 2, 3});
  scheduler.add("A", {4, 5});
  scheduler.expect_step({.scheduled = {"B 0+3 new", "A 0+2 new"}});
  scheduler.expect_update({{"A", {6}}, {"B", {7}}}, {"B 7", "A 6"});
  EXPECT_SAME(scheduler.request("B").token_ids, Tokens({1, 2, 3, 7})) << "the tokens of B";
  EXPECT_SAME(scheduler.request("B").num_output_tokens(), 1u) << "one of them is output";
  EXPECT_SAME(progress_of(scheduler.raw().running()), Names({"B 3/4", "A 2/3"}))
      << "the new tokens are not computed yet";
  scheduler.expect_step({.scheduled = {"B 3+1", "A 2+1"}});
  scheduler.expect_update({{"A", {8}}, {"B", {9}}}, {"B 9", "A 8"});
  scheduler.expect_step({.scheduled = {"B 4+1", "A 3+1"}});
  scheduler.audit();
  if (!HasFailure()) expect_many_tokens();
}

TEST(UpdateFromOutput, NoTokenAfterAPart) {
  SPEC("a part of the prompt gives no token; the step that computes the last one does", kUpdate,
       "none after a part of the known tokens", "Gives the requests that got tokens");
  RecordedScheduler scheduler({.max_num_batched_tokens = 5});
  scheduler.add("A", {1, 2});
  scheduler.add("B", {3, 4, 5, 6, 7, 8});
  scheduler.expect_step({.scheduled = {"A 0+2 new", "B 0+3 new"}});
  scheduler.expect_update({{"A", {1}}}, {"A 1"});
  EXPECT_SAME(scheduler.request("B").token_ids.size(), 6u) << "B has its prompt only";
  scheduler.expect_step({.scheduled = {"A 2+1", "B 3+3"}});
  scheduler.expect_update({{"A", {1}}, {"B", {9}}}, {"A 1", "B 9"});

  RecordedScheduler other({.long_prefill_token_threshold = 3});
  other.add("A", {3, 4, 5, 6, 7, 8});
  other.add("B", {1, 2});
  other.expect_step({.scheduled = {"A 0+3 new", "B 0+2 new"}});
  other.expect_update({{"B", {1}}}, {"B 1"});
}

TEST(UpdateFromOutput, ARequestWithoutItsToken) {
  SPEC(
      "a request whose tokens are all computed can be without its token: it waits for it, and gets "
      "it once",
      kUpdate, "A request without its token waits for it", "Gives the requests that got tokens");
  RecordedScheduler scheduler({});
  scheduler.add("A", {1, 2});
  scheduler.add("B", {3, 4});
  const SchedulerOutput first = scheduler.schedule();
  scheduler.expect_update(first, {{"B", {6}}}, {"B 6"});
  EXPECT_SAME(progress_of(scheduler.raw().running()), Names({"A 2/2", "B 2/3"}))
      << "A has no token that is not computed";
  scheduler.expect_step({.scheduled = {"B 2+1"}});
  scheduler.expect_update({}, {});
  scheduler.expect_step({});
  scheduler.expect_update(first, {{"A", {5}}}, {"A 5"});
  scheduler.expect_update_refused(first, {{7}, {}}, "A has its token of this step");
  scheduler.expect_step({.scheduled = {"A 2+1"}});
  scheduler.audit();
}

TEST(UpdateFromOutput, HashesABlockThatIsFull) {
  SPEC("a block that the output makes full is hashed, and found by others once it is computed",
       kUpdate, "with the hashes of blocks that they make full");
  RecordedScheduler scheduler({.block_size = 2});
  scheduler.add("A", {1, 2, 3});
  scheduler.schedule();
  scheduler.expect_update({{"A", {4}}}, {"A 4"});
  EXPECT_SAME(scheduler.request("A").block_hashes.size(), 2u) << "[3 4] is full";
  scheduler.expect_cached({1});
  scheduler.add("B", {1, 2, 3, 4, 5});
  scheduler.expect_step({.scheduled = {"A 3+1", "B 4+1 new"}});
  scheduler.expect_table("B", {1, 2, 3});
  scheduler.audit();
}

// A and B end in one step, each by a rule of its own, and C goes on.
void expect_both_end(const char* end_of_a, const char* end_of_b) {
  RecordedScheduler scheduler({});
  for (const auto& [name, end] : {std::pair("A", end_of_a), {"B", end_of_b}}) {
    const bool is_stop = std::string_view(end) == "stop";
    scheduler.add(name, {1, 2, 3},
                  {.sampling_params = {.max_tokens = is_stop ? 2u : 1u, .stop_token_ids = {9}}});
  }
  scheduler.add("C", {5});
  scheduler.schedule();
  const auto token_of = [](std::string_view end) { return end == "stop" ? 9 : 6; };
  const auto text_of = [&](const std::string& name, const std::string& end) {
    return name + " " + std::to_string(token_of(end)) + " " + end;
  };
  scheduler.expect_update({{"A", {token_of(end_of_a)}}, {"B", {token_of(end_of_b)}}, {"C", {9}}},
                          {text_of("A", end_of_a), text_of("B", end_of_b), "C 9"});
  scheduler.expect_step({.scheduled = {"C 1+1"}, .finished = {"A", "B"}});
  scheduler.audit();
}

TEST(UpdateFromOutput, AnEnd) {
  SPEC("a request that ends leaves at once, its last block first, and is listed in the next step",
       kUpdate, "until one ends it by the rules of 7.7", "its blocks are free then",
       "the next step lists it as finished");
  RecordedScheduler scheduler({.num_gpu_blocks = 8, .block_size = 2});
  scheduler.add("A", {1, 2, 3}, {.sampling_params = {.eos_token_id = 9}});
  scheduler.add("B", {1, 2, 4}, {.sampling_params = {.max_tokens = 1}});
  scheduler.add("C", {5});
  scheduler.schedule();
  scheduler.expect_update({{"A", {9}}, {"B", {6}}, {"C", {9}}}, {"A 9 stop", "B 6 length", "C 9"});
  scheduler.expect_running({"C"});
  EXPECT_HOLDS(!scheduler.raw().has_request("A")) << "A is forgotten";
  scheduler.expect_free({5, 6, 7, 2, 3, 1});
  scheduler.audit();
  scheduler.expect_step({.scheduled = {"C 1+1"}, .finished = {"A", "B"}});
  scheduler.expect_update({{"C", {1}}}, {"C 1"});
  scheduler.expect_step({.scheduled = {"C 2+1"}});

  RecordedScheduler other({});  // an id that is too long to be kept inside a string object
  other.add("chatcmpl-0123456789abcdefghijklmnop", {1}, {.sampling_params = {.max_tokens = 1}});
  other.schedule();
  other.expect_update({{"chatcmpl-0123456789abcdefghijklmnop", {6}}},
                      {"chatcmpl-0123456789abcdefghijklmnop 6 length"});
  for (const char* end_of_a : {"stop", "length"})
    for (const char* end_of_b : {"stop", "length"})
      if (!HasFailure()) expect_both_end(end_of_a, end_of_b);
}

void expect_min_tokens_are_kept() {
  RecordedScheduler scheduler({});
  scheduler.add("A", {1, 2}, {.sampling_params = {.min_tokens = 2, .eos_token_id = 0}});
  scheduler.schedule();
  scheduler.expect_update({{"A", {0}}}, {"A 0"});
  scheduler.expect_step({.scheduled = {"A 2+1"}});
  scheduler.expect_update({{"A", {0}}}, {"A 0 stop"});
}

TEST(UpdateFromOutput, EndsByTheRules) {
  SPEC(
      "a request ends with max_model_len tokens; before min_tokens the end of a text is a token "
      "like others",
      kUpdate, "until one ends it by the rules of 7.7");
  RecordedScheduler scheduler({.num_gpu_blocks = 3, .block_size = 2, .max_model_len = 4});
  scheduler.add("A", {1, 2}, {.sampling_params = {.max_tokens = 9}});
  scheduler.schedule();
  scheduler.expect_update({{"A", {3}}}, {"A 3"});
  scheduler.schedule();
  scheduler.expect_update({{"A", {4}}}, {"A 4 length"});
  scheduler.expect_step({.finished = {"A"}});
  expect_min_tokens_are_kept();
  for (const EndRules& rules : all_pairs_of_rules()) expect_end(rules, {1, 1, 1});
}

TEST(UpdateFromOutput, RoomForTheNextOne) {
  SPEC("the blocks and the place of a request that has ended go to the next one that waits",
       kUpdate, "its blocks are free then");
  RecordedScheduler scheduler({.num_gpu_blocks = 3, .block_size = 2, .max_num_seqs = 1});
  scheduler.add("A", {1, 2, 3}, {.sampling_params = {.max_tokens = 1}});
  scheduler.add("B", {4, 5, 6});
  scheduler.expect_step({.scheduled = {"A 0+3 new"}});
  scheduler.expect_update({{"A", {7}}}, {"A 7 length"});
  scheduler.expect_step({.scheduled = {"B 0+3 new"}, .finished = {"A"}});
  scheduler.expect_table("B", {2, 1});
}

TEST(UpdateFromOutput, OneThatWasAborted) {
  SPEC("a request that was aborted after the step was scheduled is skipped, and stays away",
       kUpdate, "aborted in the meantime is skipped");
  RecordedScheduler scheduler({.max_num_seqs = 2});
  scheduler.add("A", {1, 2, 3}, {.sampling_params = {.eos_token_id = 6}});
  scheduler.add("B", {4, 5});
  scheduler.add("C", {7});
  scheduler.expect_step({.scheduled = {"A 0+3 new", "B 0+2 new"}});
  scheduler.finish({"A"});
  scheduler.expect_update({{"A", {6}}, {"B", {8}}}, {"B 8"});
  EXPECT_HOLDS(!scheduler.raw().has_request("A")) << "A was aborted";
  scheduler.expect_step({.scheduled = {"B 2+1", "C 0+1 new"}, .finished = {"A"}});
  scheduler.finish({"B", "C"});
  scheduler.expect_update({{"B", {8}}, {"C", {8}}}, {});
  scheduler.expect_step({.finished = {"B", "C"}});
  scheduler.audit();
}

// A waits for its token in the second step, so F is admitted; in the third, F gets what is left.
void expect_a_part_without_chunked_prefill() {
  RecordedScheduler scheduler({.max_num_batched_tokens = 8,
                               .max_model_len = 8,
                               .long_prefill_token_threshold = 2,
                               .enable_chunked_prefill = false});
  scheduler.add("A", {1});
  for (const char* name : {"C", "D", "E", "F"}) scheduler.add(name, Tokens(7, name[0]));
  scheduler.expect_step({.scheduled = {"A 0+1 new", "C 0+2 new", "D 0+2 new", "E 0+2 new"}});
  const SchedulerOutput first = scheduler.step();
  scheduler.expect_step({.scheduled = {"C 2+2", "D 2+2", "E 2+2", "F 0+2 new"}});
  scheduler.expect_update(first, {{"A", {5}}}, {"A 5"});
  scheduler.expect_step({.scheduled = {"A 1+1", "C 4+2", "D 4+2", "E 4+2", "F 2+1"}});
}

TEST(UpdateFromOutput, AStepAhead) {
  SPEC(
      "a step can be scheduled before the tokens of the one before it are there; a request that "
      "was admitted meanwhile then gets what is left of a step, also without chunked prefill",
      kUpdate, "A request gets its token", "7.3 can be scheduled before the one before it",
      "7.5 also without chunked prefill");
  RecordedScheduler scheduler({.max_num_batched_tokens = 6});
  scheduler.add("A", {1, 2});
  scheduler.add("B", {3, 4, 5, 6, 7, 8});
  const SchedulerOutput first = scheduler.schedule();
  scheduler.expect_step({.scheduled = {"B 4+2"}});
  const SchedulerOutput second = scheduler.step();
  scheduler.expect_step({});
  scheduler.expect_update(first, {{"A", {9}}}, {"A 9"});
  scheduler.expect_step({.scheduled = {"A 2+1"}});
  const SchedulerOutput fourth = scheduler.step();
  scheduler.expect_update(second, {{"B", {9}}}, {"B 9"});
  scheduler.expect_update(fourth, {{"A", {7}}}, {"A 7"});
  scheduler.expect_step({.scheduled = {"A 3+1", "B 6+1"}});
  scheduler.audit();
  if (!HasFailure()) expect_a_part_without_chunked_prefill();
}

void expect_refuses_tokens_that_cannot_be() {
  RecordedScheduler scheduler({.max_num_batched_tokens = 5});
  scheduler.add("A", {1, 2}, {.sampling_params = {.max_tokens = 1}});
  scheduler.add("B", {3, 4, 5, 6});
  const SchedulerOutput step = scheduler.schedule();
  scheduler.expect_update_refused(step, {{5}, {6}}, "a token of B is not computed yet");
  scheduler.expect_update_refused(step, {{5, 6}, {}}, "A gets one token");
  EXPECT_SAME(scheduler.request("A").token_ids, Tokens({1, 2})) << "A has got nothing";
  scheduler.expect_update(step, {{"A", {5}}}, {"A 5 length"});
}

TEST(UpdateFromOutput, RefusesTheWholeCall) {
  SPEC(
      "another number of lists, two tokens for a request, or one after a part of its tokens, "
      "refuse the whole call",
      kUpdate, "another number of lists", "refuse the whole call",
      "more than one token for a request", "has not computed the last known token");
  RecordedScheduler scheduler({});
  scheduler.add("A", {1, 2});
  scheduler.add("B", {3, 4});
  const SchedulerOutput step = scheduler.schedule();
  scheduler.expect_update_refused(step, {{5}}, "two requests were scheduled");
  scheduler.expect_update_refused(step, {{5}, {6}, {}}, "two requests were scheduled");
  scheduler.expect_update_refused(step, {}, "two requests were scheduled");
  scheduler.expect_update(step, {{"A", {5}}, {"B", {6}}}, {"A 5", "B 6"});
  expect_refuses_tokens_that_cannot_be();
}

}  // namespace
}  // namespace kv::grader

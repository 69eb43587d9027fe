// Requests come, wait and are aborted; a step of a scheduler that has nothing to do.

#include <cstdint>

#include "07-serving/tests/recorded_scheduler.h"

namespace kv::grader {
namespace {

constexpr const char* kAddRequest = "7.1 add_request";
constexpr const char* kFinishRequests = "7.2 finish_requests";
constexpr const char* kSchedule = "7.3 schedule";

TEST(AddRequest, LetsItWait) {
  SPEC("requests wait in the order in which they come, and none runs", kAddRequest,
       "Lets the request wait");
  RecordedScheduler scheduler({});
  scheduler.add("B", {1, 2, 3});
  scheduler.add("A", {4, 5});
  scheduler.add("C", {6});
  scheduler.expect_waiting({"B", "A", "C"});
  scheduler.expect_running({});
  EXPECT_SAME(scheduler.request("A").token_ids, Tokens({4, 5})) << "the prompt of A";
  EXPECT_SAME(scheduler.request("A").num_computed_tokens, 0u) << "nothing of A is computed";
  EXPECT_HOLDS(!scheduler.raw().has_request("D")) << "there is no D";
  scheduler.audit();
}

TEST(AddRequest, HashesFullBlocks) {
  SPEC("every full block of the prompt is hashed, as lab 03 does it", kAddRequest,
       "its full blocks hashed");
  for (const bool enable_caching : {true, false}) {
    RecordedScheduler scheduler({.block_size = 2, .enable_caching = enable_caching});
    ServedRequest request = scheduler.request_of("A", {1, 2, 3, 4, 5});
    request.cache_salt = "salt";
    request.skip_reading_prefix_cache = !enable_caching;
    scheduler.add(request);
    update_block_hashes(request);
    EXPECT_SAME(scheduler.request("A").block_hashes, request.block_hashes)
        << "the hashes of [1 2] and [3 4], with the salt";
    scheduler.add("B", {1});
    EXPECT_SAME(scheduler.request("B").block_hashes.size(), 0u) << "B has no full block";
  }
}

void expect_counts_the_prompt() {
  RecordedScheduler scheduler({});
  scheduler.add("A", {1, 2, 3});
  scheduler.add("B", {1});
  EXPECT_SAME(scheduler.request("A").num_prompt_tokens, 3u) << "A has a prompt of 3 tokens";
  EXPECT_SAME(scheduler.request("A").num_output_tokens(), 0u) << "and no output";
  EXPECT_SAME(scheduler.request("B").num_prompt_tokens, 1u) << "B has a prompt of one token";
}

TEST(AddRequest, KeepsWhatWasAsked) {
  SPEC("a request is kept as it came, and the tokens that it comes with are its prompt",
       kAddRequest, "Lets the request wait", "its prompt counted");
  RecordedScheduler scheduler({});
  const SchedulerState before = scheduler.state();
  scheduler.add("A", {1, 2},
                {.sampling_params = {.max_tokens = 9,
                                     .min_tokens = 3,
                                     .eos_token_id = 7,
                                     .stop_token_ids = {8, 9}},
                 .priority = -4,
                 .arrival_time = 1.5});
  const ServedRequest& request = scheduler.request("A");
  EXPECT_SAME(request.sampling_params.max_tokens, 9u) << "max_tokens of A";
  EXPECT_SAME(request.sampling_params.min_tokens, 3u) << "min_tokens of A";
  EXPECT_HOLDS(request.sampling_params.eos_token_id == 7) << "eos_token_id of A should be 7";
  EXPECT_SAME(request.sampling_params.stop_token_ids, Tokens({8, 9})) << "stop_token_ids of A";
  EXPECT_SAME(request.priority, -4) << "the priority of A";
  EXPECT_HOLDS(request.arrival_time == 1.5) << "A came after 1.5 seconds";
  EXPECT_HOLDS(scheduler.state().manager == before.manager) << "a request that waits has no block";
  expect_counts_the_prompt();
}

void expect_two_schedulers() {
  RecordedScheduler first({});
  log_object(TestObject::kSecond);
  RecordedScheduler second({});
  second.add("A", {1});
  log_object(TestObject::kFirst);
  first.add("A", {2, 3});
  first.add("B", {4});
  first.expect_waiting({"A", "B"});
  second.expect_waiting({"A"});
  EXPECT_SAME(second.request("A").token_ids, Tokens({1})) << "A of the second";
}

TEST(AddRequest, ManyRequests) {
  SPEC(
      "however many requests come, those that were there keep their place and their tokens, and so "
      "do those of another scheduler",
      kAddRequest, "Lets the request wait");
  constexpr TokenId kMany = 3'000;
  RecordedScheduler scheduler({});
  log_step("add_request for 3,000 requests");
  for (TokenId i = 0; i < kMany; ++i)
    scheduler.raw().add_request(scheduler.request_of(std::to_string(i), {i}));
  ASSERT_SAME(scheduler.raw().waiting().size(), 3'000u) << "all of them wait";
  for (TokenId i = 0; i < kMany; ++i) {
    const ServedRequest& request = *scheduler.raw().waiting()[static_cast<std::size_t>(i)];
    ASSERT_SAME(request.token_ids, Tokens({i})) << "the prompt of the request with this place";
    EXPECT_HOLDS(&request == &scheduler.request(std::to_string(i)))
        << "waiting() and request() should show the same request";
  }
  expect_two_schedulers();
}

TEST(AddRequest, RefusesAnIdTwice) {
  SPEC("an id that has a request is refused, and the request is as before", kAddRequest,
       "an id that has a request");
  RecordedScheduler scheduler({});
  scheduler.add("A", {1, 2, 3});
  scheduler.add("B", {1});
  scheduler.expect_add_refused(scheduler.request_of("A", {1, 2, 3}), "A is there already");
  scheduler.expect_add_refused(scheduler.request_of("A", {9}), "A is there already");
  EXPECT_SAME(scheduler.request("A").token_ids, Tokens({1, 2, 3})) << "A is the first one";
  scheduler.expect_waiting({"A", "B"});
}

void expect_refuses_prompts_that_leave_no_room() {
  RecordedScheduler scheduler({.max_model_len = 6});
  scheduler.expect_add_refused(scheduler.request_of("A", {}), "there is nothing to compute");
  scheduler.expect_add_refused(scheduler.request_of("A", Tokens(6, 1)), "no token can follow");
  scheduler.expect_add_refused(scheduler.request_of("A", Tokens(7, 1)), "it is too long");
  scheduler.add("A", Tokens(5, 1));
  scheduler.add("B", {1});
}

void expect_refuses_outputs_that_cannot_be() {
  RecordedScheduler scheduler({.max_model_len = 6});
  const auto with = [&](std::size_t max_tokens, std::size_t min_tokens) {
    return scheduler.request_of(
        "A", {1, 2}, {.sampling_params = {.max_tokens = max_tokens, .min_tokens = min_tokens}});
  };
  scheduler.expect_add_refused(with(0, 0), "an output has a token");
  scheduler.expect_add_refused(with(3, 4), "it ends after 3 tokens");
  scheduler.expect_add_refused(with(9, 5), "a prompt of 2 tokens leaves 4");
  scheduler.expect_add_refused(with(SIZE_MAX, SIZE_MAX), "a prompt of 2 tokens leaves 4");
  scheduler.expect_add_refused(with(0x1'0000'0004, 0x1'0000'0004), "4 more than 2^32");
  scheduler.add(with(SIZE_MAX, 4));
}

void expect_to_any_scheduler() {
  KVCacheManager manager(4, 2, 100);  // three blocks are usable: 6 slots
  const auto made = [&](const SchedulerConfig& config) { Scheduler(manager, config); };
  EXPECT_REFUSED(made({0, 1, 6})) << "a step has room for a token";
  EXPECT_REFUSED(made({1, 0, 6})) << "a request may run";
  EXPECT_REFUSED(made({1, 1, 0})) << "a request can have a token";
  EXPECT_REFUSED(made({1, 1, 7})) << "a request of 7 tokens does not fit into 6 slots";
  EXPECT_REFUSED(made({9, 9, SIZE_MAX})) << "neither does the longest";
  EXPECT_REFUSED(made({5, 1, 6, 0, false})) << "a prompt of 6 tokens would never be computed";
  Scheduler scheduler(manager, {6, 1, 6, 0, false});
  scheduler.add_request({{.request_id = "A", .block_size = 2, .token_ids = {1, 2, 3, 4, 5}}});
  EXPECT_SAME(scheduler.waiting().size(), 1u) << "A waits";
}

// What only the scheduler writes: a request that is added again brings it from its first life.
void expect_refuses_used(RecordedScheduler& scheduler, const ServedRequest& made) {
  const auto expect_no = [&](const char* why, auto change) {
    ServedRequest request = made;
    change(request);
    scheduler.expect_add_refused(request, why);
  };
  expect_no("it has run", [](auto& it) { it.status = RequestStatus::kRunning; });
  expect_no("it was preempted", [](auto& it) { it.status = RequestStatus::kPreempted; });
  expect_no("its preemptions are counted", [](auto& it) { it.num_preemptions = 7; });
  expect_no("its hits are counted", [](auto& it) { it.num_cached_tokens = 4; });
  expect_no("its prompt is counted", [](auto& it) { it.num_prompt_tokens = 3; });
  expect_no("it has drafts", [](auto& it) { it.spec_token_ids = {7, 8}; });
}

TEST(AddRequest, RefusesWhatCannotBeServed) {
  SPEC(
      "requests that could never be computed or never end, and a scheduler in which one would wait "
      "for ever, are refused",
      kAddRequest, "a request of another block size", "with computed tokens",
      "other fields that only the scheduler writes", "a prompt without a token",
      "of max_model_len and more", "max_tokens of 0",
      "exceed max_tokens or what max_model_len leaves");
  RecordedScheduler scheduler({});
  ServedRequest request = scheduler.request_of("A", {1, 2, 3});
  for (const std::size_t block_size : {1u, 3u, 8u}) {
    request.block_size = block_size;
    scheduler.expect_add_refused(request, "a block has 4 tokens here");
  }
  request.block_size = 4;
  for (const std::size_t num_computed : {1ul, 3ul, SIZE_MAX}) {
    request.num_computed_tokens = num_computed;
    scheduler.expect_add_refused(request, "it has no blocks, so nothing of it is computed");
  }
  request.num_computed_tokens = 0;
  expect_refuses_used(scheduler, request);
  scheduler.add(request);
  expect_refuses_prompts_that_leave_no_room();
  expect_refuses_outputs_that_cannot_be();
  expect_to_any_scheduler();
}

TEST(AddRequest, RefusesTokensAndParametersThatNobodyHas) {
  SPEC("tokens outside the vocabulary, and sampling parameters that cannot be, are refused",
       kAddRequest, "a token outside the vocabulary", "a temperature below 0",
       "a top_p outside (0, 1]", "prompt_logprobs without num_logprobs");
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  RecordedScheduler scheduler({.vocab_size = 50});
  for (const TokenId token : {50, 51, -1, std::numeric_limits<TokenId>::max()})
    for (const Tokens& prompt : {Tokens{token, 1}, Tokens{1, 2, token}})
      scheduler.expect_add_refused(scheduler.request_of("A", prompt),
                                   "the model has tokens 0 to 49");
  for (const double temperature : {-1.0, -1e-300, kNan})
    scheduler.expect_add_refused(
        scheduler.request_of("A", {1}, {.sampling_params = {.temperature = temperature}}),
        "no softmax has it");
  for (const double top_p : {0.0, -1.0, 1.0001, 2.0, kNan})
    scheduler.expect_add_refused(
        scheduler.request_of("A", {1}, {.sampling_params = {.top_p = top_p}}),
        "no tokens have such a part of the probability");
  const RequestOptions unnumbered = {.sampling_params = {.prompt_logprobs = true}};
  scheduler.expect_add_refused(scheduler.request_of("A", {1}, unnumbered), "how many logprobs?");
  scheduler.add("A", {0, 49}, {.sampling_params = {.temperature = 1e300, .top_p = 1e-300}});
  RecordedScheduler any({});
  any.add("A", {-1, std::numeric_limits<TokenId>::max()});
}

TEST(FinishRequests, ThoseThatWait) {
  SPEC("an aborted request waits no more, and the others keep their order", kFinishRequests,
       "Aborts requests");
  RecordedScheduler scheduler({});
  for (const char* name : {"A", "B", "C", "D", "E"}) scheduler.add(name, {1, 2});
  scheduler.finish({"C"});
  scheduler.expect_waiting({"A", "B", "D", "E"});
  EXPECT_HOLDS(!scheduler.raw().has_request("C")) << "C is forgotten";
  scheduler.finish({"E", "A"});
  scheduler.expect_waiting({"B", "D"});
  scheduler.audit();
}

TEST(FinishRequests, UnknownIds) {
  SPEC("an id without a request changes nothing, and those after it are aborted", kFinishRequests,
       "An id without a request changes nothing");
  RecordedScheduler scheduler({});
  scheduler.finish({"A"});
  scheduler.add("A", {1});
  scheduler.add("B", {2});
  scheduler.add("C", {3});
  const SchedulerState before = scheduler.state();
  scheduler.finish({"D", ""});
  scheduler.finish({});
  scheduler.expect_unchanged(before);
  scheduler.finish({"D", "A", "A", "C"});
  scheduler.expect_waiting({"B"});
  scheduler.finish({"A"});
  scheduler.expect_waiting({"B"});
}

TEST(FinishRequests, TheIdCanComeAgain) {
  SPEC("an id whose request was aborted is free for another one, which waits after all others",
       kFinishRequests, "Aborts requests");
  RecordedScheduler scheduler({});
  scheduler.add("A", {1, 2, 3});
  scheduler.add("B", {4});
  scheduler.finish({"A"});
  scheduler.add("A", {9});
  scheduler.expect_waiting({"B", "A"});
  EXPECT_SAME(scheduler.request("A").token_ids, Tokens({9})) << "A is the second one";
  scheduler.audit();
}

TEST(Schedule, NothingToDo) {
  SPEC("a step without requests is empty", kSchedule);
  RecordedScheduler scheduler({});
  const SchedulerState before = scheduler.state();
  for (int i = 0; i < 2; ++i) {
    scheduler.expect_step({});
    scheduler.expect_common(0);
    scheduler.expect_unchanged(before);
  }
}

TEST(Schedule, ListsOnceWhatHasFinished) {
  SPEC("the next step lists the requests that were aborted, and the one after it does not",
       kSchedule, "Lists once each request that ended or was aborted",
       "7.2 lists them as finished");
  RecordedScheduler scheduler({});
  for (const char* name : {"A", "B", "C"}) scheduler.add(name, {1});
  scheduler.finish({"B", "A", "B"});
  scheduler.finish({"C", "D"});
  scheduler.expect_step({.finished = {"A", "B", "C"}});
  scheduler.expect_step({});
  scheduler.add("A", {1});
  scheduler.finish({"A"});
  scheduler.expect_step({.finished = {"A"}});
  scheduler.expect_step({});
}

}  // namespace
}  // namespace kv::grader

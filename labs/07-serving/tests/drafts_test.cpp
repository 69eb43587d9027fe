// Step 7.16: drafts in the steps of the scheduler.

#include "07-serving/tests/end_rules.h"
#include "07-serving/tests/many_requests.h"

namespace kv::grader {
namespace {

constexpr const char* kTakeBack = "7.16 take_back_rejected";

// A scheduler with request A, whose prompt 1 2 3 is computed and whose first token is 4.
class AfterThePrompt : public RecordedScheduler {
 public:
  explicit AfterThePrompt(const SchedulerSizes& sizes, const RequestOptions& options = {})
      : RecordedScheduler(sizes) {
    add("A", {1, 2, 3}, options);
    schedule();
    expect_update({{"A", {4}}}, {"A 4"});
  }

  // What Engine::step does with what 7.14 gives.
  void guess(const std::string& name, const Tokens& drafts) {
    log_step({"update_draft_token_ids(request_id, drafts)", "update_draft_token_ids({0}, {1})"},
             name, drafts);
    raw().update_draft_token_ids(name, drafts);
  }
};

void expect_progress(RecordedScheduler& scheduler, std::size_t num_tokens, std::size_t computed) {
  const ServedRequest& request = scheduler.request("A");
  EXPECT_SAME(request.token_ids.size(), num_tokens) << "tokens of A";
  EXPECT_SAME(request.num_computed_tokens, computed) << "computed tokens of A";
}

TEST(Drafts, AllAreRight) {
  SPEC("right drafts stay computed, and the next step computes only the token after them",
       kTakeBack, "the drafts of a request that were not right are no longer computed",
       "7.8 one more for each draft");
  AfterThePrompt scheduler({.block_size = 2});
  scheduler.guess("A", {5, 6});
  scheduler.expect_step({.scheduled = {"A 3+3 ?5 ?6"}});
  scheduler.expect_update({{"A", {5, 6, 7}}}, {"A 5 6 7"});
  expect_progress(scheduler, 7, 6);
  scheduler.expect_step({.scheduled = {"A 6+1"}});
  scheduler.audit();
}

// More drafts than 16 bits count.
void expect_many_drafts(std::size_t num_right) {
  AfterThePrompt scheduler(
      {.num_gpu_blocks = 2, .block_size = 2 * kMany, .max_num_batched_tokens = 2 * kMany},
      {.sampling_params = {.max_tokens = 2 * kMany}});
  log_step("65,540 drafts, of which " + std::to_string(num_right) + " are right");
  scheduler.raw().update_draft_token_ids("A", Tokens(kMany, 5));
  const SchedulerOutput step = scheduler.raw().schedule();
  Tokens sampled(num_right, 5);
  sampled.push_back(6);
  scheduler.raw().update_from_output(step, std::vector<Tokens>{sampled});
  expect_progress(scheduler, 4 + num_right + 1, 4 + num_right);
}

// The first step computes a part of the prompt. The drafts that come then are dropped.
void expect_no_drafts_in_a_prompt() {
  RecordedScheduler scheduler({.max_num_batched_tokens = 50, .max_model_len = 76});
  scheduler.add("A", Tokens(70, 1));
  scheduler.expect_step({.scheduled = {"A 0+50 new"}});
  scheduler.raw().update_draft_token_ids("A", {1, 2, 3});
  scheduler.expect_step({.scheduled = {"A 50+20"}});
  scheduler.expect_update({{"A", {7}}}, {"A 7"});
  expect_progress(scheduler, 71, 70);
}

TEST(Drafts, SomeAreWrong) {
  SPEC("after a wrong draft, the token in its place is computed in the next step", kTakeBack,
       "the drafts of a request that were not right are no longer computed");
  AfterThePrompt scheduler({.block_size = 2});
  scheduler.guess("A", {5, 6, 7});
  scheduler.expect_step({.scheduled = {"A 3+4 ?5 ?6 ?7"}});
  scheduler.expect_update({{"A", {5, 9}}}, {"A 5 9"});
  expect_progress(scheduler, 6, 5);
  scheduler.guess("A", {8});
  scheduler.expect_step({.scheduled = {"A 5+2 ?8"}});
  scheduler.expect_update({{"A", {2}}}, {"A 2"});
  expect_progress(scheduler, 7, 6);
  scheduler.audit();
  for (const std::size_t num_right : {std::size_t{0}, kMany - 2})
    if (!HasFailure()) expect_many_drafts(num_right);
  if (!HasFailure()) expect_no_drafts_in_a_prompt();
}

// Two requests with drafts in one step, of which the first is wrong, or has no token yet.
void expect_drafts_of_both(RecordedScheduler& scheduler) {
  scheduler.expect_update({{"A", {7}}, {"B", {7}}}, {"A 7", "B 7"});
  scheduler.raw().update_draft_token_ids("A", {1, 2});
  scheduler.raw().update_draft_token_ids("B", {1});
  scheduler.expect_step({.scheduled = {"A 6+3 ?1 ?2", "B 8+2 ?1"}});
  scheduler.expect_update({{"A", {9}}, {"B", {1, 2}}}, {"A 9", "B 1 2"});
  scheduler.raw().update_draft_token_ids("B", {5});
  scheduler.expect_step({.scheduled = {"A 7+1", "B 10+2 ?5"}});
  scheduler.expect_update({{"B", {6}}}, {"B 6"});
  scheduler.expect_step({.scheduled = {"B 11+1"}});
}

// Only the last of more requests than 16 bits count has a draft, and it is wrong.
void expect_a_draft_of_the_last_one() {
  log_step("65,540 requests in a step, the last one with a draft");
  ManyRequests many;
  many.add(kMany, 1);
  const std::string last = std::to_string(kMany - 1);
  many.scheduler.update_draft_token_ids(last, {5});
  const SchedulerOutput step = many.scheduler.schedule();
  many.scheduler.update_from_output(step, std::vector<Tokens>(kMany, {7}));
  EXPECT_SAME(many.scheduler.request(last).num_computed_tokens, 1u) << "its computed tokens";
}

TEST(Drafts, BesideOthers) {
  SPEC("each request takes back its own drafts, and others none", kTakeBack,
       "the drafts of a request that were not right are no longer computed");
  AfterThePrompt scheduler({.block_size = 4});
  scheduler.add("B", {7, 7, 7, 7, 7});
  scheduler.schedule();
  scheduler.expect_update({{"A", {5}}, {"B", {8}}}, {"A 5", "B 8"});
  scheduler.guess("B", {1, 2, 3});
  scheduler.expect_step({.scheduled = {"A 4+1", "B 5+4 ?1 ?2 ?3"}});
  scheduler.expect_update({{"A", {6}}, {"B", {1, 9}}}, {"A 6", "B 1 9"});
  scheduler.expect_step({.scheduled = {"A 5+1", "B 7+1"}});
  if (!HasFailure()) expect_drafts_of_both(scheduler);
  if (!HasFailure()) expect_a_draft_of_the_last_one();
}

TEST(Drafts, OneThatEndsTheText) {
  SPEC("a request ends with the token that ends it, and gets none of those after it", kTakeBack,
       "7.8 one after the other", "7.8 until one ends it by the rules of 7.7",
       "7.8 with the tokens that they got");
  AfterThePrompt scheduler({.block_size = 2}, {.sampling_params = {.eos_token_id = 6}});
  scheduler.guess("A", {5, 6, 7});
  scheduler.schedule();
  scheduler.expect_update({{"A", {5, 6, 7, 8}}}, {"A 5 6 stop"});
  scheduler.expect_step({.finished = {"A"}});

  AfterThePrompt other({.block_size = 2}, {.sampling_params = {.max_tokens = 3}});
  other.guess("A", {5, 6});
  other.schedule();
  other.expect_update({{"A", {5, 6, 7}}}, {"A 5 6 length"});
  other.audit();
  using Steps = std::vector<std::size_t>;
  for (const Steps& num_tokens : {Steps{3}, {1, 2}, {2, 1}})
    for (const EndRules& rules : all_pairs_of_rules()) expect_end(rules, num_tokens);
}

TEST(Drafts, OnesThatAreNotCached) {
  SPEC("a block is cached when its tokens are known, not when they are drafts", kTakeBack,
       "the drafts of a request that were not right are no longer computed");
  AfterThePrompt scheduler({.block_size = 2});
  scheduler.guess("A", {5, 6});
  scheduler.schedule();
  scheduler.expect_update({{"A", {5, 9}}}, {"A 5 9"});
  scheduler.add("B", {1, 2, 3, 4, 5, 6, 7});
  scheduler.expect_step({.scheduled = {"A 5+1", "B 4+3 new"}});
  scheduler.add("C", {1, 2, 3, 4, 5, 9, 7});
  scheduler.expect_step({.scheduled = {"C 6+1 new"}});
  scheduler.audit();
}

TEST(Drafts, WithLittleRoom) {
  SPEC("drafts for which a step has no room are not computed, nor any past max_model_len",
       kTakeBack, "7.8 one more for each draft");
  AfterThePrompt scheduler({.block_size = 2, .max_num_batched_tokens = 3, .max_model_len = 8});
  scheduler.guess("A", {5, 6, 7});
  scheduler.expect_step({.scheduled = {"A 3+3 ?5 ?6"}});
  scheduler.expect_update({{"A", {5, 6, 1}}}, {"A 5 6 1"});
  scheduler.guess("A", {2, 3});
  scheduler.expect_step({.scheduled = {"A 6+1"}});
  scheduler.expect_update({{"A", {2}}}, {"A 2 length"});
}

TEST(Drafts, OfARequestThatIsGone) {
  SPEC("one that was aborted in the meantime, or has no token yet, takes back nothing", kTakeBack,
       "without sampled tokens");
  AfterThePrompt scheduler({.block_size = 2});
  scheduler.guess("A", {5, 6});
  const SchedulerOutput step = scheduler.schedule();
  scheduler.expect_update(step, {}, {});
  expect_progress(scheduler, 4, 6);
  scheduler.expect_step({});  // all its tokens are on their way
  scheduler.finish({"A"});
  scheduler.expect_update(step, {{"A", {5, 9}}}, {});
  EXPECT_HOLDS(!scheduler.raw().has_request("A")) << "A stays aborted";
}

// A step computes a draft of A, and B takes the blocks of A before that step ends. resumes: A gets
// blocks again before it, and finds two of its tokens if they are cached.
void expect_nothing_to_take_back(bool resumes, bool enable_caching = true) {
  RecordedScheduler scheduler({.num_gpu_blocks = 8,
                               .block_size = 2,
                               .max_model_len = 12,
                               .long_prefill_token_threshold = 2,
                               .enable_caching = enable_caching});
  scheduler.add("B", {9, 9, 8, 8, 7, 7, 6, 6, 5, 5});
  scheduler.schedule();
  scheduler.add("A", {1, 2, 3});
  scheduler.schedule();
  scheduler.expect_step({.scheduled = {"B 4+2", "A 2+1"}});
  scheduler.expect_update({{"A", {4}}}, {"A 4"});
  scheduler.raw().update_draft_token_ids("A", {5});
  const SchedulerOutput step = scheduler.schedule();
  scheduler.expect_step({.scheduled = {"B 8+2"}, .preempted = {"A"}});
  if (resumes) {
    scheduler.finish({"B"});
    const char* const a = enable_caching ? "A 2+2 resumed" : "A 0+2 resumed";
    scheduler.expect_step({.scheduled = {a}, .finished = {"B"}});
  }
  scheduler.expect_update(step, {{"A", {9}}}, {"A 9"});
  expect_progress(scheduler, 5, !resumes ? 0 : enable_caching ? 4 : 2);
  scheduler.audit();
}

// A gets drafts, and B takes its blocks before a step computes them: A resumes without them.
void expect_no_drafts_when_resumed() {
  RecordedScheduler scheduler({.num_gpu_blocks = 8, .block_size = 2, .max_model_len = 12});
  scheduler.add("B", {9, 9, 8, 8, 7, 7, 6, 6, 5});
  scheduler.add("A", {1, 2, 3});
  scheduler.schedule();
  scheduler.expect_update({{"B", {5}}, {"A", {4}}}, {"B 5", "A 4"});
  scheduler.raw().update_draft_token_ids("B", {4});
  scheduler.raw().update_draft_token_ids("A", {5, 6});
  scheduler.expect_step({.scheduled = {"B 9+2 ?4"}, .preempted = {"A"}});
  scheduler.finish({"B"});
  scheduler.expect_step({.scheduled = {"A 2+2 resumed"}, .finished = {"B"}});
  scheduler.audit();
}

TEST(Drafts, OfAPreemptedRequest) {
  SPEC("one that was preempted after the step has nothing to take back, whether it waits or runs",
       kTakeBack, "from one that was preempted after this step", "even if it has resumed",
       "7.6 without drafts");
  expect_nothing_to_take_back(false);
  if (!HasFailure()) expect_nothing_to_take_back(true);
  if (!HasFailure()) expect_nothing_to_take_back(true, false);
  if (!HasFailure()) expect_no_drafts_when_resumed();
}

TEST(Drafts, RefusesMoreTokensThanDrafts) {
  SPEC("more tokens than drafts and one refuse the whole call", kTakeBack,
       "7.8 more than one token for a request");
  AfterThePrompt scheduler({.block_size = 2});
  scheduler.guess("A", {5, 6});
  const SchedulerOutput step = scheduler.schedule();
  scheduler.expect_update_refused(step, {{5, 6, 7, 8}}, "two drafts and one token are the most");
  scheduler.expect_update(step, {{"A", {5, 6, 7}}}, {"A 5 6 7"});
}

}  // namespace
}  // namespace kv::grader

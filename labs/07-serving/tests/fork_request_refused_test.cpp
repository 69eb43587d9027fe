// Step 7.17: what cannot be forked, or is no answer.

#include <cstdint>

#include "07-serving/tests/recorded_scheduler.h"

namespace kv::grader {
namespace {

constexpr const char* kForking = "7.17 fork_request";

TEST(ForkRequest, RefusesRequestsThatAreNotReady) {
  SPEC("a parent that waits, or of which not all tokens but the last are computed, is refused",
       kForking, "a parent that does not run", "has no output",
       "or does not lack exactly its last token");
  RecordedScheduler scheduler({.max_num_batched_tokens = 5});
  scheduler.expect_fork_refused("A", "B", "there is no A");
  scheduler.add("A", {1, 2, 3, 4, 5, 6});
  scheduler.expect_fork_refused("A", "B", "A waits");
  scheduler.schedule();
  scheduler.expect_fork_refused("A", "B", "A lacks one token of its prompt");
  scheduler.schedule();
  scheduler.expect_fork_refused("A", "B", "A lacks no token: it has none of its output yet");
  scheduler.expect_update({{"A", {7}}}, {"A 7"});
  scheduler.expect_fork("A", "B");
  scheduler.expect_fork_refused("B", "C", "B has no output");
  scheduler.schedule();
  scheduler.expect_fork_refused("A", "C", "the step that computes A's last token is not over");
  scheduler.audit();
}

// B has lost its blocks, and then computes its output once more.
TEST(ForkRequest, RefusesAPreemptedParent) {
  SPEC("a parent that was preempted has no blocks to share; once it has caught up, it has",
       kForking, "a parent that does not run", "or does not lack exactly its last token",
       "without drafts or preemptions");
  RecordedScheduler scheduler({.num_gpu_blocks = 5,
                               .block_size = 2,
                               .long_prefill_token_threshold = 3,
                               .enable_caching = false});
  scheduler.add("A", {1, 2, 3});
  scheduler.add("B", {4, 5, 6});
  scheduler.schedule();
  scheduler.expect_update({{"A", {7}}, {"B", {7}}}, {"A 7", "B 7"});
  scheduler.schedule();
  scheduler.expect_update({{"A", {7}}, {"B", {7}}}, {"A 7", "B 7"});
  scheduler.expect_step({.scheduled = {"A 4+1"}, .preempted = {"B"}});
  scheduler.expect_fork_refused("B", "C", "B has no blocks");
  scheduler.finish({"A"});
  scheduler.expect_step({.scheduled = {"B 0+3 resumed"}, .finished = {"A"}});
  scheduler.expect_fork_refused("B", "C", "two tokens of B are not computed");
  scheduler.expect_step({.scheduled = {"B 3+2"}});
  scheduler.expect_update({{"B", {7}}}, {"B 7"});
  scheduler.expect_fork("B", "C");
  EXPECT_SAME(scheduler.request("C").num_preemptions, 0u) << "C has not been preempted";
  scheduler.audit();
}

TEST(ForkRequest, RefusesWhatCannotBeServed) {
  SPEC("an id that is there, and an output that the child has already or can never have", kForking,
       "an id that has a request", "max_tokens that leave no token",
       "sampling_params that 7.1 refuses");
  RecordedScheduler scheduler({.max_num_seqs = 3, .max_model_len = 10});
  scheduler.add("A", {1, 2, 3, 4, 5, 6});
  scheduler.schedule();
  scheduler.expect_update({{"A", {70}}}, {"A 70"});
  scheduler.add("W", {1});
  scheduler.expect_fork_refused("A", "A", "A is there");
  scheduler.expect_fork_refused("A", "W", "W is there");
  scheduler.expect_fork_refused("A", "B", "an output has a token", {.max_tokens = 0});
  scheduler.expect_fork_refused("A", "B", "no softmax has it", {.temperature = -1});
  scheduler.expect_fork_refused("A", "B", "no tokens have such a part of the probability",
                                {.top_p = 0});
  scheduler.expect_fork_refused("A", "B", "there is no number of logprobs",
                                {.prompt_logprobs = true});
  scheduler.expect_fork_refused("A", "B", "it ends after 3 tokens",
                                {.max_tokens = 3, .min_tokens = 4});
  scheduler.expect_fork_refused("A", "B", "a prompt of 6 tokens leaves 4",
                                {.max_tokens = 9, .min_tokens = 5});
  scheduler.expect_fork_refused("A", "B", "a prompt of 6 tokens leaves 4",
                                {.max_tokens = SIZE_MAX, .min_tokens = SIZE_MAX});
  scheduler.schedule();
  scheduler.expect_update({{"A", {71}}, {"W", {9}}}, {"A 71", "W 9"});
  scheduler.expect_fork_refused("A", "B", "B has the token 70 already", {.max_tokens = 1});
  scheduler.expect_fork("A", "B", true, {.max_tokens = 2, .min_tokens = 2});
  scheduler.expect_fork_refused("A", "W", "W is there, and three requests run");
}

}  // namespace
}  // namespace kv::grader

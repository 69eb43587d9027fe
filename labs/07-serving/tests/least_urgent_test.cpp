// Step 7.13: which request is preempted under kPriority.

#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "07-serving/tests/near_keys.h"

namespace kv::grader {
namespace {

constexpr const char* kVictim = "7.13 take_least_urgent";

// Blocks of two tokens, and as many tokens of a request in a step as threshold says.
SchedulerSizes by_priority(std::size_t num_usable_blocks,
                           std::size_t num_tokens = 100,
                           std::size_t threshold = 2) {
  return {.num_gpu_blocks = num_usable_blocks + 1,
          .block_size = 2,
          .max_num_batched_tokens = num_tokens,
          .long_prefill_token_threshold = threshold,
          .policy = SchedulingPolicy::kPriority};
}

// A needs a block of B, which was admitted first, or of C. Of equal ones, C would be the victim.
void expect_victim(const RequestOptions& b, const RequestOptions& c, const std::string& victim) {
  if (testing::Test::HasFailure()) return;
  RecordedScheduler scheduler(by_priority(3));
  log_step("B and C have the keys " + NearKeys{b, c}.text());
  scheduler.add("B", {2, 2}, b);
  scheduler.schedule();
  scheduler.add("C", {3, 3}, c);
  scheduler.schedule();
  constexpr double kEarliest = -1e300;
  scheduler.add("A", {1, 1, 1, 1}, urgent(std::numeric_limits<int>::min(), kEarliest));
  scheduler.expect_step({.scheduled = {"A 0+2 new"}});
  scheduler.expect_step({.scheduled = {"A 2+2"}, .preempted = {victim}});
  scheduler.audit();
}

TEST(LeastUrgent, IsTheVictim) {
  SPEC("the victim is the least urgent one that runs, not the last; of two the later", kVictim,
       "the largest (priority, arrival_time)");
  for (const auto& [b, c, victim] : {std::tuple{urgent(9), urgent(3), "B"},
                                     {urgent(std::numeric_limits<int>::min()), urgent(3), "C"},
                                     {urgent(3), urgent(9), "C"},
                                     {urgent(3, 2), urgent(3, 1), "B"},
                                     {urgent(3, 1), urgent(3, 2), "C"},
                                     {urgent(3, 9), urgent(4, 1), "C"},
                                     {urgent(-3), urgent(-9), "B"}})
    expect_victim(b, c, victim);
  for (const NearKeys& keys : near_keys()) {
    expect_victim(keys.second, keys.first, "B");
    expect_victim(keys.first, keys.second, "C");
  }
}

TEST(LeastUrgent, OfEqualOnesTheLast) {
  SPEC("of several that are equally urgent, the one that was admitted last is preempted", kVictim,
       "of several, the one that was admitted last");
  RecordedScheduler scheduler(by_priority(4));
  scheduler.add("D", {1, 1}, urgent(5));
  scheduler.schedule();
  scheduler.add("B", {2, 2}, urgent(5));
  scheduler.schedule();
  scheduler.add("C", {3, 3}, urgent(5));
  scheduler.schedule();
  scheduler.add("A", {4, 4, 4, 4, 4, 4}, urgent(0));
  scheduler.expect_step({.scheduled = {"A 0+2 new"}});
  scheduler.expect_step({.scheduled = {"A 2+2"}, .preempted = {"C"}});
  scheduler.expect_step({.scheduled = {"A 4+2"}, .preempted = {"B"}});
  scheduler.expect_running({"D", "A"});
  scheduler.expect_waiting({"B", "C"});
}

// A token for each request of the step that has computed all its known ones.
Sampled sampled_in(const RecordedScheduler& scheduler) {
  Sampled sampled;
  for (const ScheduledRequest& scheduled : scheduler.step().scheduled) {
    const ServedRequest& request = scheduler.request(scheduled.request_id);
    if (request.num_computed_tokens == request.token_ids.size()) sampled[request.request_id] = {7};
  }
  return sampled;
}

// Two requests that do not fit together until one has ended.
void expect_both_end(const SchedulerSizes& sizes,
                     std::size_t prompt_of_a,
                     std::size_t prompt_of_b) {
  clear_log();
  RecordedScheduler scheduler(sizes);
  for (const auto& [name, num_tokens] : {std::pair("A", prompt_of_a), {"B", prompt_of_b}})
    scheduler.add(name, Tokens(num_tokens, 1), {.sampling_params = {.max_tokens = 4}});
  int num_steps = 0;
  while (!scheduler.raw().running().empty() || !scheduler.raw().waiting().empty()) {
    if (++num_steps > 100) fail_now("after 100 steps, A and B have not both ended");
    scheduler.schedule();
    scheduler.update(scheduler.step(), sampled_in(scheduler));
  }
}

TEST(LeastUrgent, EqualOnesComeToAnEnd) {
  SPEC("two requests that are equally urgent do not preempt each other for ever", kVictim,
       "of several, the one that was admitted last");
  for (const bool enable_caching : {false, true}) {
    for (const std::size_t threshold : {1u, 0u}) {
      for (const std::size_t num_tokens : {2u, 1u, 3u}) {
        SchedulerSizes sizes = by_priority(6, num_tokens, threshold);
        sizes.block_size = 1;
        sizes.enable_caching = enable_caching;
        for (std::size_t prompt_of_a = 1; prompt_of_a < 6; ++prompt_of_a)
          for (std::size_t prompt_of_b = 1; prompt_of_b < 6; ++prompt_of_b)
            expect_both_end(sizes, prompt_of_a, prompt_of_b);
      }
    }
  }
}

TEST(LeastUrgent, WaitsInItsPlace) {
  SPEC("a preempted request waits where its priority puts it, not before more urgent ones", kVictim,
       "7.6 or in its place under kPriority", "7.12 before the first one that goes after it");
  RecordedScheduler scheduler(by_priority(3));
  scheduler.add("B", Tokens(4, 2), urgent(7));
  scheduler.schedule();
  scheduler.add("A", Tokens(5, 1), urgent(1));
  scheduler.add("C", Tokens(5, 3), urgent(3));
  scheduler.add("D", {4}, urgent(9));
  scheduler.expect_step({.scheduled = {"B 2+2", "A 0+2 new"}});
  scheduler.expect_step({.scheduled = {"A 2+2"}, .preempted = {"B"}});
  scheduler.expect_waiting({"C", "B", "D"});
  EXPECT_SAME(scheduler.request("B").num_preemptions, 1u) << "B was preempted once";
  scheduler.audit();
}

// B, the least urgent one, was admitted first: B, A, C and D run, and each block has one token.
class TheFirstIsTheVictim : public testing::Test {
 protected:
  void begin(std::size_t num_tokens, std::size_t num_usable_blocks, const Tokens& prompt_of_b) {
    scheduler.emplace(SchedulerSizes{.num_gpu_blocks = num_usable_blocks + 1,
                                     .block_size = 1,
                                     .max_num_batched_tokens = num_tokens,
                                     .policy = SchedulingPolicy::kPriority});
    scheduler->add("B", prompt_of_b, urgent(9));
    step_of_b = scheduler->schedule();
    scheduler->add("A", {1}, urgent(1));
    scheduler->add("C", {3}, urgent(2));
    scheduler->add("D", {4}, urgent(3));
    scheduler->expect_step({.scheduled = {"A 0+1 new", "C 0+1 new", "D 0+1 new"}});
    scheduler->expect_update({{"A", {5}}, {"C", {5}}, {"D", {5}}}, {"A 5", "C 5", "D 5"});
  }

  std::optional<RecordedScheduler> scheduler;
  SchedulerOutput step_of_b;
};

// Once B and A run, B needs the blocks that A gets in the same step. A finds num_found of its
// tokens when B is gone: those that the model has computed, in full blocks.
void expect_found_after(std::size_t num_steps_of_a,
                        std::size_t num_usable_blocks,
                        std::size_t threshold,
                        std::size_t num_found) {
  const SchedulerSizes sizes = by_priority(num_usable_blocks, 100, threshold);
  RecordedScheduler scheduler(sizes);
  Tokens prompt(sizes.num_tokens() - 1);
  std::iota(prompt.begin(), prompt.end(), 1);
  scheduler.add("A", prompt, urgent(9));
  for (std::size_t i = 0; i < num_steps_of_a; ++i) scheduler.schedule();
  scheduler.add("B", Tokens(8, 21), urgent(0));
  scheduler.schedule();
  const std::string num = std::to_string(threshold);
  scheduler.expect_step({.scheduled = {"B " + num + "+" + num}, .preempted = {"A"}});
  scheduler.finish({"B"});
  scheduler.expect_step({.scheduled = {"A " + std::to_string(num_found) + "+" + num + " resumed"},
                         .finished = {"B"}});
  scheduler.audit();
}

// D has computed the block after 16 of A's tokens for itself. Through it, A would find what
// follows.
void expect_found_up_to_the_block_of_another() {
  RecordedScheduler scheduler(by_priority(20, 100, 8));
  Tokens prompt(30);
  std::iota(prompt.begin(), prompt.end(), 1);
  scheduler.add("A", prompt, urgent(9));
  scheduler.schedule();
  scheduler.add("B", Tokens(16, 50), urgent(0));
  scheduler.add("D", Tokens(prompt.begin(), prompt.begin() + 18), urgent(5));
  scheduler.expect_step({.scheduled = {"A 8+8", "B 0+8 new", "D 16+2 new"}});
  scheduler.expect_step({.scheduled = {"B 8+8"}, .preempted = {"A"}});
  scheduler.finish({"B"});
  scheduler.expect_step({.scheduled = {"A 18+8 resumed"}, .finished = {"B"}});
}

// B has one known token and two drafts in the step, of which C gets the room.
void expect_room_of_drafts() {
  RecordedScheduler scheduler({.num_gpu_blocks = 10,
                               .block_size = 1,
                               .max_num_batched_tokens = 5,
                               .policy = SchedulingPolicy::kPriority});
  scheduler.add("B", {2}, urgent(9));
  scheduler.schedule();
  scheduler.expect_update({{"B", {5}}}, {"B 5"});
  scheduler.add("A", {1}, urgent(0));
  scheduler.add("C", Tokens(6, 3), urgent(1));
  scheduler.expect_step({.scheduled = {"B 1+1", "A 0+1 new", "C 0+3 new"}});
  scheduler.expect_update({{"B", {6}}, {"A", {7}}}, {"B 6", "A 7"});
  scheduler.raw().update_draft_token_ids("B", {7, 7});
  scheduler.expect_step({.scheduled = {"A 1+1", "C 3+3"}, .preempted = {"B"}});
}

TEST_F(TheFirstIsTheVictim, ItsTokensGoBack) {
  SPEC("a victim is scheduled no more: others get its tokens, and nobody finds what they filled",
       kVictim, "has scheduled leaves the step", "can get its tokens",
       "the blocks that these tokens filled are not cached");
  begin(3, 6, {2});
  scheduler->expect_update(step_of_b, {{"B", {5}}}, {"B 5"});
  scheduler->expect_step({.scheduled = {"A 1+1", "C 1+1", "D 1+1"}, .preempted = {"B"}});
  EXPECT_SAME(progress_of(scheduler->raw().waiting()), Names({"B 0/2"})) << "B starts over";
  scheduler->audit();
  if (!HasFailure()) expect_found_after(1, 9, 4, 8);
  if (!HasFailure()) expect_found_after(2, 8, 3, 8);
  if (!HasFailure()) expect_found_up_to_the_block_of_another();
  if (!HasFailure()) expect_room_of_drafts();
}

TEST_F(TheFirstIsTheVictim, NoRequestIsSkipped) {
  SPEC("the requests after the victim move up by one, and each still gets its turn", kVictim,
       "No other request is skipped");
  begin(4, 6, {2});
  scheduler->expect_update(step_of_b, {{"B", {5}}}, {"B 5"});
  scheduler->expect_step({.scheduled = {"A 1+1", "C 1+1", "D 1+1"}, .preempted = {"B"}});
  scheduler->expect_running({"A", "C", "D"});
}

TEST_F(TheFirstIsTheVictim, AfterItHadNoTokens) {
  SPEC("the same when the step had no tokens for the victim", kVictim,
       "No other request is skipped");
  begin(4, 6, {2, 2});
  scheduler->expect_step({.scheduled = {"A 1+1", "C 1+1", "D 1+1"}, .preempted = {"B"}});
  EXPECT_SAME(progress_of(scheduler->raw().waiting()), Names({"B 0/2"})) << "B starts over";
  scheduler->audit();
}

TEST(LeastUrgent, TokensThatGoBackAreForTheNext) {
  SPEC("the present request gets the tokens for which it looked for blocks, and no more", kVictim,
       "the requests after the present one can get its tokens");
  RecordedScheduler scheduler({.num_gpu_blocks = 8,
                               .block_size = 1,
                               .max_num_batched_tokens = 3,
                               .policy = SchedulingPolicy::kPriority});
  scheduler.add("A", {1}, urgent(0));
  scheduler.add("B", {2}, urgent(9));
  scheduler.expect_step({.scheduled = {"A 0+1 new", "B 0+1 new"}});
  const SchedulerOutput first = scheduler.step();
  scheduler.add("C", Tokens(6, 3), urgent(1));
  scheduler.expect_step({.scheduled = {"C 0+3 new"}});
  scheduler.expect_update(first, {{"B", {5}}}, {"B 5"});
  scheduler.expect_step({.scheduled = {"C 3+2"}, .preempted = {"B"}});
  scheduler.audit();
}

TEST(LeastUrgent, OneAfterThePresent) {
  SPEC("a victim after the present request moves no other: each is scheduled once", kVictim,
       "No other request is skipped");
  RecordedScheduler scheduler(by_priority(4));
  scheduler.add("D", {4, 4}, urgent(0));
  scheduler.add("A", Tokens(7, 1), urgent(1));
  scheduler.add("B", {2, 2}, urgent(9));
  scheduler.expect_step({.scheduled = {"D 0+2 new", "A 0+2 new", "B 0+2 new"}});
  scheduler.expect_step({.scheduled = {"A 2+2"}});
  scheduler.expect_step({.scheduled = {"A 4+2"}, .preempted = {"B"}});
  scheduler.expect_running({"D", "A"});
  scheduler.audit();
}

TEST(LeastUrgent, ItselfEndsTheStep) {
  SPEC("a request that is the victim itself is preempted, and none after it is scheduled", kVictim,
       "7.5 If the victim is the request itself, no other is scheduled");
  RecordedScheduler scheduler(by_priority(3));
  scheduler.add("B", Tokens(5, 2), urgent(9));
  scheduler.schedule();
  scheduler.add("C", {3, 3, 3}, urgent(2));
  scheduler.expect_step({.scheduled = {"B 2+2", "C 0+2 new"}});
  scheduler.expect_step({.preempted = {"B"}});
  scheduler.expect_running({"C"});
  scheduler.expect_step({.scheduled = {"C 2+1"}});
}

}  // namespace
}  // namespace kv::grader

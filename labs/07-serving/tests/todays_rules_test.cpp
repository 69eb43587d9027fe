// What the rules of vLLM 0.33 change, and what an admission leaves free.

#include <cmath>
#include <limits>

#include "07-serving/scheduling_rules.h"
#include "07-serving/tests/many_requests.h"
#include "07-serving/tests/recorded_scheduler.h"

namespace kv::grader {
namespace {

constexpr Rules kToday = Rules::kVllm033;

TEST(TodaysThreshold, IsForThoseWithCompany) {
  SPEC("the threshold holds as soon as there are two requests, and one that is alone has no limit",
       "7.19 threshold_among", "long_prefill_token_threshold of the config",
       "alone, whether it waits or runs", "0: no limit");
  const auto expect_threshold = [](std::size_t threshold, std::size_t num_requests,
                                   std::size_t expected) {
    SchedulerConfig config = SchedulerSizes().config();
    config.long_prefill_token_threshold = threshold;
    EXPECT_SAME(threshold_among(config, num_requests), expected)
        << "the limit of " << threshold << " tokens among " << num_requests << " requests";
  };
  for (const std::size_t threshold : {0ul, 1ul, 3ul, 1ul << 32}) {
    expect_threshold(threshold, 1, 0);
    for (const std::size_t num_requests : {2ul, 3ul, (1ul << 32) + 1})
      expect_threshold(threshold, num_requests, threshold);
  }
}

TEST(TodaysThreshold, ComesAndGoesWithTheCompany) {
  SPEC("in each step, the requests that wait or run decide whether there is a limit",
       "7.19 threshold_among", "alone, whether it waits or runs");
  RecordedScheduler scheduler({.max_num_batched_tokens = 5,
                               .max_num_seqs = 1,
                               .long_prefill_token_threshold = 2,
                               .rules = kToday});
  scheduler.add("A", Tokens(20, 1));
  scheduler.expect_step({.scheduled = {"A 0+5 new"}});
  scheduler.add("B", Tokens(3, 2));
  scheduler.expect_step({.scheduled = {"A 5+2"}});
  scheduler.finish({"B"});
  scheduler.expect_step({.scheduled = {"A 7+5"}, .preempted = {}, .finished = {"B"}});
  scheduler.audit();
}

// Blocks of two tokens. A, B and C run, in this order, and the last is the most urgent; no block is
// free, and each has a token to compute.
class ThreeByPriority {
 public:
  explicit ThreeByPriority(Rules rules, std::size_t num_tokens_of_a = 4)
      : scheduler({.num_gpu_blocks = num_tokens_of_a / 2 + 4,
                   .block_size = 2,
                   .policy = SchedulingPolicy::kPriority,
                   .enable_caching = false,
                   .rules = rules}) {
    start("A", Tokens(num_tokens_of_a, 1), urgent(2));
    start("B", Tokens(2, 2), urgent(1));
    start("C", Tokens(3, 3), urgent(0));
    for (const SchedulerOutput& step : steps_) {
      const std::string& name = step.scheduled.at(0).request_id;
      scheduler.expect_update(step, {{name, {7}}}, {name + " 7"});
    }
  }

  RecordedScheduler scheduler;

 private:
  void start(const std::string& name, const Tokens& tokens, const RequestOptions& options) {
    scheduler.add(name, tokens, options);
    steps_.push_back(scheduler.schedule());
  }

  std::vector<SchedulerOutput> steps_;
};

TEST(OwnVictim, ThoseAfterItGoOn) {
  SPEC("a request that was its own victim gives way to the more urgent ones after it in this step",
       "7.20 schedule_after_own_victim", "goes on with those after it");
  ThreeByPriority today(kToday);
  today.scheduler.expect_step({.scheduled = {"B 2+1", "C 3+1"}, .preempted = {"A"}});
  today.scheduler.expect_running({"B", "C"});
  today.scheduler.expect_waiting({"A"});
  today.scheduler.audit();
  log_object(TestObject::kSecond);
  ThreeByPriority before(Rules::kVllm022);
  before.scheduler.expect_step({.scheduled = {}, .preempted = {"A"}});
  before.scheduler.expect_step({.scheduled = {"B 2+1", "C 3+1"}});
}

TEST(OwnVictim, OneAfterTheOther) {
  SPEC("the next one can be its own victim, too, and the one after that goes on",
       "7.20 schedule_after_own_victim", "goes on with those after it");
  ThreeByPriority three(kToday, 2);
  log_step("B gets three drafts, for which it needs two blocks");
  three.scheduler.raw().update_draft_token_ids("B", {5, 5, 5});
  three.scheduler.expect_step({.scheduled = {"C 3+1"}, .preempted = {"A", "B"}});
  three.scheduler.expect_waiting({"B", "A"});
  three.scheduler.audit();
}

TEST(Watermark, IsLeftFreeByAnAdmission) {
  SPEC("while another request runs, an admission leaves the watermark free, and the next ones wait",
       "7.21 num_blocks_left_free", "`watermark` of all blocks");
  RecordedScheduler scheduler({.num_gpu_blocks = 11, .enable_caching = false, .watermark = 0.3});
  scheduler.add("A", Tokens(16, 1));
  scheduler.add("B", Tokens(16, 2));
  scheduler.add("C", Tokens(4, 3));
  scheduler.expect_step({.scheduled = {"A 0+16 new"}});
  scheduler.expect_waiting({"B", "C"});
  scheduler.finish({"B"});
  scheduler.add("D", Tokens(8, 4));
  scheduler.expect_step(
      {.scheduled = {"C 0+4 new", "D 0+8 new"}, .preempted = {}, .finished = {"B"}});
  scheduler.audit();
  scheduler.add("E", Tokens(4, 5));
  scheduler.expect_step({});
  scheduler.finish({"A", "C", "D"});
  scheduler.expect_step({.scheduled = {"E 0+4 new"}, .preempted = {}, .finished = {"A", "C", "D"}});
}

TEST(Watermark, OneThatIsAloneIgnoresIt) {
  SPEC("if nobody runs, a request is admitted that needs every block; one that runs takes the rest",
       "7.21 num_blocks_left_free", "None if nobody runs");
  RecordedScheduler scheduler({.num_gpu_blocks = 4,
                               .max_num_batched_tokens = 8,
                               .enable_caching = false,
                               .watermark = 0.99,
                               .reserve_prefills = true});
  scheduler.add("A", Tokens(11, 1));
  scheduler.add("B", {2});
  scheduler.expect_step({.scheduled = {"A 0+8 new"}});
  scheduler.expect_step({.scheduled = {"A 8+3"}});
  scheduler.expect_table("A", {1, 2, 3});
  scheduler.finish({"A"});
  scheduler.expect_step({.scheduled = {"B 0+1 new"}, .preempted = {}, .finished = {"A"}});
}

TEST(Watermark, PromptsHaveAReserve) {
  SPEC("an admission leaves the blocks free that running requests lack for their known tokens",
       "7.21 num_blocks_left_free", "need for their known tokens and do not have");
  RecordedScheduler scheduler({.num_gpu_blocks = 6,
                               .long_prefill_token_threshold = 4,
                               .enable_caching = false,
                               .reserve_prefills = true});
  scheduler.add("A", Tokens(16, 1));
  scheduler.add("B", Tokens(8, 2));
  scheduler.add("C", {3});
  scheduler.expect_step({.scheduled = {"A 0+4 new", "B 0+4 new"}});
  scheduler.expect_step({.scheduled = {"A 4+4", "B 4+4"}});
  scheduler.expect_waiting({"C"});
  scheduler.finish({"B"});
  scheduler.expect_step({.scheduled = {"A 8+4", "C 0+1 new"}, .preempted = {}, .finished = {"B"}});
  scheduler.audit();
}

// A pool of 16 blocks of 4 tokens. A, B and C run; each needs three blocks, and they have 0, 2
// and 3.
class ThreeInAPool {
 public:
  ThreeInAPool() {
    log_start("", {"", "a pool of 16 blocks; A, B and C need 3, and have 0, 2 and 3 of them"});
    for (ServedRequest& request : requests_) {
      request.request_id = std::string(1, static_cast<char>('A' + running_.size()));
      request.block_size = 4;
      request.token_ids = Tokens(10, 1);
      update_block_hashes(request);
      running_.push_back(&request);
    }
    compute(requests_[1], 5);
    compute(requests_[2], 10);
  }

  void expect_left(double watermark, bool reserves, std::size_t num_running, std::size_t expected) {
    SchedulerConfig config = SchedulerSizes().config();
    config.watermark = watermark;
    config.reserve_prefills = reserves;
    const auto those = std::span<ServedRequest* const>(running_).first(num_running);
    log_step("num_blocks_left_free() with watermark " + std::to_string(watermark));
    EXPECT_SAME(num_blocks_left_free(config, manager_, those), expected)
        << "blocks to leave free, with " << num_running << " running";
  }

 private:
  void compute(ServedRequest& request, std::size_t num_tokens) {
    manager_.allocate_slots(request, num_tokens);
    request.num_computed_tokens = num_tokens;
  }

  KVCacheManager manager_{16, 4, 60, false};
  std::vector<ServedRequest> requests_ = std::vector<ServedRequest>(3);
  std::vector<ServedRequest*> running_;
};

TEST(Watermark, IsCountedForAnyPool) {
  SPEC("watermark and reserve are counted for the whole pool, and for all that run",
       "7.21 num_blocks_left_free", "`watermark` of all blocks", "rounded down",
       "need for their known tokens and do not have");
  ThreeInAPool three;
  for (const double watermark : {0.0, 0.5, 0.999}) three.expect_left(watermark, true, 0, 0);
  three.expect_left(0, false, 3, 0);
  three.expect_left(0.0625, false, 1, 1);
  three.expect_left(0.0624, false, 1, 0);
  three.expect_left(std::nextafter(0.0625, 0), false, 1, 0);
  three.expect_left(0.999, false, 3, 15);
  three.expect_left(0, true, 1, 3);
  three.expect_left(0, true, 2, 4);
  three.expect_left(0, true, 3, 4);
  three.expect_left(0.5, true, 3, 12);
  expect_long_prompt_to_reserve();
  expect_large_watermark();
}

TEST(Watermark, IsAShareOfTheBlocks) {
  SPEC("a watermark of 0 leaves no block free, and one that is no share of the blocks is refused",
       "7.21 num_blocks_left_free");
  ThreeInAPool().expect_left(0, false, 3, 0);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double watermark : {-0.1, 1.0, 1.5, kInfinity, std::nan("")}) {
    KVCacheManager manager(4, 2, 6);
    SchedulerConfig config = SchedulerSizes{.num_gpu_blocks = 4, .block_size = 2}.config();
    config.watermark = watermark;
    log_step("a scheduler with watermark " + std::to_string(watermark));
    EXPECT_REFUSED(Scheduler(manager, config)) << "it is not 0 or more, and below 1";
  }
}

}  // namespace
}  // namespace kv::grader

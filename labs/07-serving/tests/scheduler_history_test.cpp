// Random histories: every step is the one that follows from the rules, in every state.

#include <array>

#include "07-serving/tests/scheduler_model_test.h"

namespace kv::grader {
namespace {

class FcfsModelTest : public SchedulerModelTest {
 public:
  explicit FcfsModelTest(const Sizes& sizes) : SchedulerModelTest(sizes, SchedulingPolicy::kFcfs) {}
};
class PriorityModelTest : public SchedulerModelTest {
 public:
  explicit PriorityModelTest(const Sizes& sizes)
      : SchedulerModelTest(sizes, SchedulingPolicy::kPriority) {}
};

class TodaysModelTest : public SchedulerModelTest {
 public:
  explicit TodaysModelTest(const Sizes& sizes)
      : SchedulerModelTest(
            sizes,
            sizes[0] % 4 == 1 ? SchedulingPolicy::kFcfs : SchedulingPolicy::kPriority,
            Rules::kVllm033) {}
};

// Few blocks, so that requests are preempted in most runs.
Sizes blocks_tokens_steps(std::uint64_t seed) {
  constexpr std::array<std::size_t, 4> kBlockSizes = {1, 2, 4, 16};
  const std::size_t block_size = kBlockSizes[seed % kBlockSizes.size()];
  return {5 + seed % 7 * 2, block_size, 3 + seed % 5 * 3 * block_size, 1 + seed % 6,
          seed * 37 % 512};
}

const Histories kFourHundredRuns = {
    .num_runs = 400, .num_calls = 200, .sizes = blocks_tokens_steps, .replay = "./lab grade 07"};

TEST(SchedulerHistory, FourHundredRuns) {
  SPEC("every step, and what comes after it, is what the rules say of all requests so far",
       "7.8 update_from_output");
  expect_model_agrees<FcfsModelTest>(kFourHundredRuns);
}

TEST(SchedulerHistory, FourHundredRunsByPriority) {
  SPEC("the same with priorities: the least urgent request is preempted, wherever it runs",
       "7.13 take_least_urgent");
  expect_model_agrees<PriorityModelTest>(kFourHundredRuns);
}

TEST(SchedulerHistory, FourHundredRunsByTodaysRules) {
  SPEC("the same by the rules of vLLM 0.33, with both policies, watermarks and reserves",
       "7.21 num_blocks_left_free");
  expect_model_agrees<TodaysModelTest>(kFourHundredRuns);
}

}  // namespace
}  // namespace kv::grader

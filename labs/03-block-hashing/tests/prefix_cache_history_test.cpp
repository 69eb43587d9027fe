// Random histories of a prefix cache: it finds exactly what a table of full prefixes would.

#include <array>

#include "03-block-hashing/tests/prefix_cache_model_test.h"

namespace kv::grader {
namespace {

// The same, with blocks evicted in the middle of chains.
class EvictingPrefixCacheModelTest : public PrefixCacheModelTest {
 public:
  using PrefixCacheModelTest::PrefixCacheModelTest;

  void call(Choices choices) override {
    if (choices.below(10) != 9) return PrefixCacheModelTest::call(choices);
    evict(static_cast<BlockId>(choices.below(num_gpu_blocks_)));
  }
};

// The same, with every prefix looked up by step 3.19.
class LookingAheadModelTest : public EvictingPrefixCacheModelTest {
 public:
  explicit LookingAheadModelTest(const Sizes& sizes)
      : EvictingPrefixCacheModelTest(sizes, &BlockPool::find_longest_cache_hit_ahead) {}
};

Sizes blocks_and_tokens(std::uint64_t seed) {
  constexpr std::array<std::size_t, 4> kBlockSizes = {1, 2, 4, 16};
  return {8 + seed % 57, kBlockSizes[seed % kBlockSizes.size()]};
}

TEST(PrefixCacheHistory, FiveHundredRuns) {
  SPEC("every history finds exactly what a table of full prefixes would",
       "3.15 reset_prefix_cache");
  expect_model_agrees<PrefixCacheModelTest>(
      {.num_runs = 500, .num_calls = 300, .sizes = blocks_and_tokens, .replay = "./lab grade 03"});
}

TEST(PrefixCacheHistory, WithBlocksEvictedInTheMiddle) {
  SPEC("the same, with blocks evicted in the middle of chains", "3.17 evict_blocks");
  expect_model_agrees<EvictingPrefixCacheModelTest>(
      {.num_runs = 200, .num_calls = 300, .sizes = blocks_and_tokens, .replay = "./lab grade 03"});
}

TEST(PrefixCacheHistory, LookingAhead) {
  SPEC("the same, when find_longest_cache_hit_ahead does the looking",
       "3.19 find_longest_cache_hit_ahead");
  expect_model_agrees<LookingAheadModelTest>(
      {.num_runs = 100, .num_calls = 300, .sizes = blocks_and_tokens, .replay = "./lab grade 03"});
}

}  // namespace
}  // namespace kv::grader

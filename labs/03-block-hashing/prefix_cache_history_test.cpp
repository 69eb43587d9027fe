// Random lives of a prefix cache: finds exactly what a table of full prefixes would.

#include <array>

#include "03-block-hashing/cache_lockstep.h"

namespace kv::grader {
namespace {

void live(std::size_t num_lives, bool evicts) {
  constexpr std::array<std::size_t, 4> kBlockSizes = {1, 2, 4, 16};
  for (std::size_t life = 0; life < num_lives && !testing::Test::HasFailure(); ++life) {
    forget_story();
    const std::uint64_t seed = history_seed() + life;
    CacheLockstep lockstep(8 + seed % 57, kBlockSizes[seed % kBlockSizes.size()], seed, evicts);
    for (int i = 0; i < 300 && !testing::Test::HasFailure(); ++i) lockstep.random_step();
  }
}

TEST(PrefixCacheHistory, FiveHundredLives) {
  PINS("every history finds exactly what a table of full prefixes would",
       "3.14 reset_prefix_cache");
  live(500, false);
}

TEST(PrefixCacheHistory, WithBlocksEvictedInTheMiddle) {
  PINS("the same, with blocks forgotten in the middle of chains", "3.15 evict_blocks");
  live(200, true);
}

}  // namespace
}  // namespace kv::grader

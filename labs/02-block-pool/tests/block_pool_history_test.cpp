// Random histories of a pool in lockstep with the oracle. Every block is audited after each call.

#include <gtest/gtest.h>

#include "02-block-pool/tests/recorded_pool.h"
#include "grader/harness/history.h"
#include "reference/block_pool_oracle.h"

namespace kv::grader {
namespace {

class PoolModelTest : public ModelTest {
 public:
  explicit PoolModelTest(const Sizes& sizes)
      : num_gpu_blocks_(sizes[0]), pool_(num_gpu_blocks_), oracle_(num_gpu_blocks_) {}

  void call(Choices choices) override {
    const std::size_t kind = choices.below(8);
    if (kind < 3) claim(choices.below(6));
    if (kind == 3 || kind == 4) touch(choices);
    if (kind == 5 || kind == 6) free_some(choices);
    if (kind == 7) seal(any_block(choices));
    compare();
  }

 private:
  BlockId any_block(Choices& choices) const {
    return static_cast<BlockId>(choices.below(num_gpu_blocks_));
  }

  void claim(std::size_t num_blocks) {
    const auto expected = oracle_.get_new_blocks(num_blocks);
    pool_.expect_new_blocks(num_blocks, expected);
  }

  void touch(Choices choices) {
    Ids ids;
    for (std::size_t i = choices.below(4); i > 0; --i) ids.push_back(any_block(choices));
    oracle_.touch(ids);
    pool_.touch(ids);
  }

  // Frees some blocks, none more often than it is held.
  void free_some(Choices choices) {
    Ids holds = oracle_.holds();
    Ids ids;
    for (std::size_t i = choices.below(5); i > 0 && !holds.empty(); --i) {
      const auto chosen = holds.begin() + static_cast<std::ptrdiff_t>(choices.below(holds.size()));
      ids.push_back(*chosen);
      holds.erase(chosen);
    }
    if (choices.below(4) == 3) ids.push_back(0);
    oracle_.free_blocks(ids);
    pool_.free_blocks(ids);
  }

  void seal(BlockId id) {
    if (oracle_.ref_cnt(id) == 0 || pool_.block(id).block_hash) return;
    oracle_.seal(id);
    pool_.seal(id);
  }

  void compare() {
    pool_.audit();
    pool_.expect_free(oracle_.free_ids());
    pool_.expect_cached(oracle_.cached_ids());
    for (std::size_t i = 0; i < num_gpu_blocks_; ++i) {
      pool_.expect_ref_cnt(static_cast<BlockId>(i), oracle_.ref_cnt(static_cast<BlockId>(i)));
    }
  }

  std::size_t num_gpu_blocks_;
  RecordedPool pool_;
  oracle::BlockPoolOracle oracle_;
};

TEST(BlockPoolHistory, FiveHundredRuns) {
  SPEC("every history of calls leaves the pool as plain sets would be", "2.4 free_blocks");
  expect_model_agrees<PoolModelTest>(
      {.num_runs = 500,
       .num_calls = 300,
       .sizes = [](std::uint64_t seed) { return Sizes{8 + seed % 57}; },
       .replay = "./lab grade 02"});
}

}  // namespace
}  // namespace kv::grader

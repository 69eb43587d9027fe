// Random lives of a pool, in lockstep with the oracle, every block audited after every step.

#include <gtest/gtest.h>

#include "02-block-pool/narrated_pool.h"
#include "grader/harness/random.h"
#include "reference/block_pool_oracle.h"

namespace kv::grader {
namespace {

class PoolLockstep {
 public:
  PoolLockstep(std::size_t num_gpu_blocks, std::uint64_t seed)
      : num_gpu_blocks_(num_gpu_blocks),
        pool_(num_gpu_blocks),
        oracle_(num_gpu_blocks),
        random_(seed) {
    start(draw_pool(pool_.bare()) + "; to replay: --seed " + std::to_string(seed));
  }

  void random_step() {
    const std::size_t choice = random_.below(8);
    if (choice < 3) claim(random_.below(6));
    if (choice == 3 || choice == 4) touch();
    if (choice == 5 || choice == 6) free_some();
    if (choice == 7) seal();
    compare();
  }

 private:
  BlockId any_block() { return static_cast<BlockId>(random_.below(num_gpu_blocks_)); }

  void claim(std::size_t num_blocks) {
    const auto expected = oracle_.get_new_blocks(num_blocks);
    const auto claimed = pool_.get_new_blocks(num_blocks);
    if (claimed != expected) ADD_FAILURE() << "get_new_blocks gave the wrong blocks";
  }

  void touch() {
    Ids ids;
    for (std::size_t i = random_.below(4); i > 0; --i) ids.push_back(any_block());
    oracle_.touch(ids);
    pool_.touch(ids);
  }

  // Lets go of some holds, each as often as it is held at the most.
  void free_some() {
    Ids holds = oracle_.holds();
    Ids ids;
    for (std::size_t i = random_.below(5); i > 0 && !holds.empty(); --i) {
      const auto chosen = holds.begin() + static_cast<std::ptrdiff_t>(random_.below(holds.size()));
      ids.push_back(*chosen);
      holds.erase(chosen);
    }
    if (random_.below(4) == 0) ids.push_back(0);
    oracle_.free_blocks(ids);
    pool_.free_blocks(ids);
  }

  void seal() {
    const BlockId id = any_block();
    if (oracle_.ref_cnt(id) == 0 || pool_.block(id).block_hash) return;
    oracle_.seal(id);
    pool_.seal(id);
  }

  void compare() {
    pool_.expect_free(oracle_.free_ids());
    const Ids cached = cached_ids(pool_.bare());
    if (cached != oracle_.cached_ids()) {
      ADD_FAILURE() << "expected cached " << draw(oracle_.cached_ids()) << ", yours is "
                    << draw(cached);
    }
    for (std::size_t i = 0; i < num_gpu_blocks_; ++i) {
      pool_.expect_ref_cnt(static_cast<BlockId>(i), oracle_.ref_cnt(static_cast<BlockId>(i)));
    }
    pool_.audit();
  }

  std::size_t num_gpu_blocks_;
  NarratedPool pool_;
  oracle::BlockPoolOracle oracle_;
  Random random_;
};

TEST(BlockPoolHistory, FiveHundredLives) {
  PINS("every history of calls leaves the pool as plain sets would be", "2.4 free_blocks");
  for (std::size_t life = 0; life < 500 && !HasFailure(); ++life) {
    forget_story();
    const std::uint64_t seed = history_seed() + life;
    PoolLockstep lockstep(8 + seed % 57, seed);
    for (int i = 0; i < 300 && !HasFailure(); ++i) lockstep.random_step();
  }
}

}  // namespace
}  // namespace kv::grader

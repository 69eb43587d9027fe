// Random histories of a pool in lockstep with the oracle, calls that are refused among them.

#include <gtest/gtest.h>

#include <optional>

#include "02-block-pool/tests/recorded_pool.h"
#include "grader/harness/history.h"
#include "reference/block_pool_oracle.h"

namespace kv::grader {
namespace {

template <EvictionOrder kOrder = EvictionOrder::kFreedFirst>
class PoolModelTest : public ModelTest {
 public:
  explicit PoolModelTest(const Sizes& sizes)
      : num_gpu_blocks_(sizes[0]), pool_(num_gpu_blocks_, true, kOrder), oracle_(num_gpu_blocks_) {}

  void call(Choices choices) override {
    const std::size_t kind = choices.below(9);
    if (kind < 3) claim(choices);
    if (kind == 3 || kind == 4) touch(choices);
    if (kind == 5 || kind == 6) free_some(choices);
    if (kind == 7) seal(any_block(choices));
    if (kind == 8) misuse(choices);
  }

  void look() override {
    pool_.audit();
    pool_.expect_free(oracle_.free_ids());
    pool_.expect_cached(oracle_.cached_ids());
    pool_.expect_num_prefixes(oracle_.cached_ids().size());
    expect_usage();
    for (std::size_t i = 0; i < num_gpu_blocks_; ++i) {
      const auto id = static_cast<BlockId>(i);
      pool_.expect_ref_cnt(id, oracle_.ref_cnt(id));
      if (pool_.block(id).block_hash) pool_.expect_sealed_as_before(id);
    }
  }

  // Everything is given back, every block is claimed again, and nothing is cached any more.
  void finish() override {
    free(Ids(oracle_.holds()));
    look();
    pool_.expect_new_blocks(num_gpu_blocks_ - 1, oracle_.get_new_blocks(num_gpu_blocks_ - 1));
    look();
  }

 private:
  void expect_usage() { pool_.expect_usage(num_gpu_blocks_ - 1 - oracle_.free_ids().size()); }

  BlockId any_block(Choices& choices) const {
    return static_cast<BlockId>(choices.below(num_gpu_blocks_));
  }

  // Up to five; one time in nine, more than are free.
  void claim(Choices choices) {
    std::size_t num_blocks = choices.below(6);
    if (choices.below(9) == 8) num_blocks = more_than(oracle_.free_ids().size(), choices);
    const auto expected = oracle_.get_new_blocks(num_blocks);
    pool_.expect_new_blocks(num_blocks, expected);
  }

  void touch(Choices choices) {
    Ids ids;
    for (std::size_t i = choices.below(4); i > 0; --i) ids.push_back(any_block(choices));
    oracle_.touch(ids);
    pool_.touch(ids);
  }

  // Some blocks in use, none more often than it is held.
  Ids some_held(Choices& choices) const {
    Ids holds = oracle_.holds();
    Ids ids;
    for (std::size_t i = choices.below(5); i > 0 && !holds.empty(); --i) {
      const auto chosen = holds.begin() + static_cast<std::ptrdiff_t>(choices.below(holds.size()));
      ids.push_back(*chosen);
      holds.erase(chosen);
    }
    return ids;
  }

  void free_some(Choices choices) {
    Ids ids = some_held(choices);
    if (choices.below(4) == 3) ids.push_back(0);
    free(ids);
  }

  void free(const Ids& ids) {
    if (kOrder == EvictionOrder::kUnhashedFirst)
      oracle_.free_unhashed_first(ids);
    else
      oracle_.free_blocks(ids);
    pool_.free_blocks(ids);
  }

  void seal(BlockId id) {
    if (oracle_.ref_cnt(id) == 0 || pool_.is_sealed(id)) return;
    oracle_.seal(id);
    pool_.seal(id);
  }

  // Some blocks in use and one that is not of this pool, or free; twice in a row.
  void misuse(Choices choices) {
    Ids ids = some_held(choices);
    const Ids free = oracle_.free_ids();
    const bool is_stranger = choices.below(2) == 0 || free.empty();
    if (is_stranger) return misuse_with_stranger(ids, choices);
    ids.push_back(free[choices.below(free.size())]);
    for (int i = 0; i < 2; ++i) {
      expect_refused(pool_, "the last one is free", [&] { pool_.free_blocks(ids); });
      if (may_look()) expect_usage();
    }
  }
  void misuse_with_stranger(const Ids& held, Choices& choices) {
    const BlockId id = any_block(choices);
    auto blocks = blocks_of(pool_.raw(), held);
    if (!other_pool_) other_pool_.emplace(num_gpu_blocks_, pool_.raw().block_size());
    blocks.push_back(&other_pool_->blocks()[static_cast<std::size_t>(id)]);
    const bool is_touched = choices.below(2) == 0;
    for (int i = 0; i < 2; ++i) {
      if (is_touched)
        log_step({"touch(held, block)", "touch({0} and {1})"}, Blocks{held}, Block{id});
      if (!is_touched)
        log_step({"free_blocks(held, block)", "free_blocks({0} and {1})"}, Blocks{held}, Block{id});
      expect_refused(pool_, "the last one is of another pool", [&] {
        is_touched ? pool_.raw().touch(blocks) : pool_.raw().free_blocks(blocks);
      });
      if (may_look()) expect_usage();
    }
  }

  std::size_t num_gpu_blocks_;
  RecordedPool pool_;
  std::optional<BlockPool> other_pool_ = {};  // Why not at once: a static variable could see it
  oracle::BlockPoolOracle oracle_;
};

Sizes some_blocks(std::uint64_t seed) {
  return {8 + seed % 57};
}

const Histories kFiveHundredRuns = {
    .num_runs = 500, .num_calls = 300, .sizes = some_blocks, .replay = "./lab grade 02"};

TEST(BlockPoolHistory, FiveHundredRuns) {
  SPEC("every history of calls leaves the pool as plain sets would be, and its usage",
       "2.5 get_usage");
  expect_model_agrees<PoolModelTest<>>(kFiveHundredRuns);
}

TEST(UnhashedFirst, FiveHundredRuns) {
  SPEC("the same, in a pool that hands out blocks without a hash first", "2.6 free_unhashed_first");
  expect_model_agrees<PoolModelTest<EvictionOrder::kUnhashedFirst>>(kFiveHundredRuns);
}

}  // namespace
}  // namespace kv::grader

// Random lives: requests grow, share, end, and their blocks go to others. Each keeps a dense cache
// of its own; what attention finds through its table has to be the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "02-block-pool/block_pool.h"
#include "05-paged-attention/attention_fixture.h"

namespace kv::grader {
namespace {

constexpr std::size_t kNumBlocks = 24, kBlockSize = 4, kNumHeads = 4, kNumKvHeads = 2, kHeadDim = 3;
constexpr std::size_t kTokenSize = kNumKvHeads * kHeadDim;

struct Life {
  std::vector<KVCacheBlock*> blocks = {};
  oracle::DenseSequence dense = {kNumKvHeads, kHeadDim};

  std::vector<BlockId> table() const {
    std::vector<BlockId> ids;
    for (const KVCacheBlock* block : blocks) ids.push_back(block->block_id);
    return ids;
  }
};

class Engine {
 public:
  explicit Engine(std::uint64_t seed) : random_(seed), pool_(kNumBlocks, kBlockSize, false) {
    std::ranges::fill(keys_, kPoisons<double>[0]);
    std::ranges::fill(values_, kPoisons<double>[0]);
    start("a pool of 24 blocks; to replay: --seed " + std::to_string(seed));
  }

  void random_step() {
    const std::size_t choice = random_.below(6);
    if (lives_.empty() || choice == 0) lives_.emplace_back();
    Life& life = lives_[random_.below(lives_.size())];
    if (choice == 1) fork(life);
    if (choice == 2 && random_.below(2) == 0) return end(life);
    if (choice > 2) grow(life, 1 + random_.below(7));
    attend(lives_[random_.below(lives_.size())]);
  }

 private:
  // New tokens go through the table into the cache, and into the life's own dense cache.
  void grow(Life& life, std::size_t num_tokens) {
    const std::size_t first = life.dense.seq_len();
    const std::size_t num_blocks = (first + num_tokens + kBlockSize - 1) / kBlockSize;
    const auto taken = pool_.get_new_blocks(num_blocks - life.blocks.size());
    if (!taken) return;
    life.blocks.insert(life.blocks.end(), taken->begin(), taken->end());
    const auto k = random_numbers(random_, num_tokens * kTokenSize);
    const auto v = random_numbers(random_, num_tokens * kTokenSize);
    life.dense.keys.insert(life.dense.keys.end(), k.begin(), k.end());
    life.dense.values.insert(life.dense.values.end(), v.begin(), v.end());
    step("a request of table " + draw(life.table()) + " writes " + std::to_string(num_tokens) +
         " tokens from position " + std::to_string(first) + " on");
    const auto slots = build_slot_mapping(life.table(), kBlockSize, first, num_tokens);
    write_kv<double>(k, v, slots, cache());
    result("slots " + draw(slots));
  }

  // Another request that begins with the same full blocks, and shares them.
  void fork(const Life& parent) {
    Life child;
    const std::size_t num_full = parent.dense.seq_len() / kBlockSize;
    child.blocks.assign(parent.blocks.begin(), parent.blocks.begin() + std::ptrdiff_t(num_full));
    pool_.touch(child.blocks);
    const std::size_t size = num_full * kBlockSize * kTokenSize;
    child.dense.keys.assign(parent.dense.keys.begin(),
                            parent.dense.keys.begin() + std::ptrdiff_t(size));
    child.dense.values.assign(parent.dense.values.begin(),
                              parent.dense.values.begin() + std::ptrdiff_t(size));
    step("another request shares " + draw(child.table()));
    lives_.push_back(child);
  }

  void end(Life& life) {
    step("the request of table " + draw(life.table()) + " ends");
    std::ranges::reverse(life.blocks);
    pool_.free_blocks(life.blocks);
    for (const KVCacheBlock* block : life.blocks) {
      if (block->ref_cnt == 0) poison(static_cast<std::size_t>(block->block_id));
    }
    std::swap(life, lives_.back());
    lives_.pop_back();
  }

  void poison(std::size_t block) {
    const auto first = static_cast<std::ptrdiff_t>(block * kBlockSize * kTokenSize);
    for (auto* numbers : {&keys_, &values_}) {
      std::fill_n(numbers->begin() + first, kBlockSize * kTokenSize, kPoisons<double>[0]);
    }
  }

  void attend(const Life& life) {
    const auto query = random_numbers(random_, kNumHeads * kHeadDim);
    const std::size_t seq_len = life.dense.seq_len();
    std::vector<double> out(query.size());
    step("attend to " + std::to_string(seq_len) + " tokens of table " + draw(life.table()));
    paged_attention<double>(out, query, cache(), life.table(), seq_len, 0.5);
    result("returned");
    expect_near(out, oracle::dense_attention(life.dense, query, seq_len, 0.5), kDoubleTolerance,
                kHeadDim);
  }

  KVCache<double> cache() {
    return {{kNumBlocks, kBlockSize, kNumKvHeads, kHeadDim}, keys_, values_};
  }

  Random random_;
  BlockPool pool_;
  std::vector<double> keys_ = std::vector<double>(kNumBlocks * kBlockSize * kTokenSize);
  std::vector<double> values_ = keys_;
  std::vector<Life> lives_;
};

TEST(Lives, TwoHundred) {
  PINS("whoever had the block before, a request finds its own keys and values",
       "5.4 paged_attention");
  for (std::size_t i = 0; i < 200 && !HasFailure(); ++i) {
    forget_story();
    Engine engine(history_seed() + i);
    for (int call = 0; call < 60 && !HasFailure(); ++call) engine.random_step();
  }
}

}  // namespace
}  // namespace kv::grader

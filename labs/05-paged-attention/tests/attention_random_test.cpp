// Random histories: requests grow, share blocks and end, and others get their blocks. Each request
// has a dense copy of its keys and values; attention through the table has to give the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "01-free-queue/tests/block_ids.h"
#include "02-block-pool/block_pool.h"
#include "05-paged-attention/tests/attention_fixture.h"
#include "grader/harness/history.h"

namespace kv::grader::attention_random {
namespace {

constexpr std::size_t kBlockSize = 4, kNumHeads = 4, kNumKvHeads = 2, kHeadDim = 3;
constexpr std::size_t kTokenSize = kNumKvHeads * kHeadDim;

struct RunningRequest {
  std::vector<KVCacheBlock*> blocks = {};
  oracle::DenseSequence dense = {kNumKvHeads, kHeadDim};

  Ids table() const { return ids_of(blocks); }
};

class EngineModelTest : public ModelTest {
 public:
  explicit EngineModelTest(const Sizes& sizes)
      : num_blocks_(sizes[0]),
        pool_(num_blocks_, kBlockSize, false),
        keys_(num_blocks_ * kBlockSize * kTokenSize) {
    poison_slots<double>(keys_, kTokenSize);
    values_ = keys_;
    log_start("", {"BlockPool(num_gpu_blocks, block_size)", "a pool of {0} blocks of {1} slots"},
              num_blocks_, kBlockSize);
  }

  void call(Choices choices) override {
    const std::size_t kind = choices.below(12);
    if (requests_.empty() || kind < 2) requests_.emplace_back();
    RunningRequest& request = requests_[choices.below(requests_.size())];
    if (kind == 2) return end(request);
    if (kind == 3 || kind == 4) fork(request);
    if (kind > 4) grow(request, 1 + choices.below(7));
    attend(requests_[choices.below(requests_.size())]);
  }

 private:
  // New tokens go through the table into the cache, and into the dense cache of the request.
  void grow(RunningRequest& request, std::size_t num_tokens) {
    const std::size_t first = request.dense.seq_len();
    const std::size_t num_blocks = (first + num_tokens + kBlockSize - 1) / kBlockSize;
    const auto taken = pool_.get_new_blocks(num_blocks - request.blocks.size());
    if (!taken) return;
    request.blocks.insert(request.blocks.end(), taken->begin(), taken->end());
    const auto k = random_numbers(random_, num_tokens * kTokenSize);
    const auto v = random_numbers(random_, num_tokens * kTokenSize);
    request.dense.keys.insert(request.dense.keys.end(), k.begin(), k.end());
    request.dense.values.insert(request.dense.values.end(), v.begin(), v.end());
    log_step({"write_kv(block_table, num_tokens, start)",
              "a request of table {0} writes {1} tokens from position {2} on"},
             request.table(), num_tokens, first);
    const auto slots = build_slot_mapping(request.table(), kBlockSize, first, num_tokens);
    write_kv<double>(k, v, slots, cache());
    log_state("slots", slots);
    log_pool();
  }

  // Another request that begins with the same full blocks, and shares them.
  void fork(const RunningRequest& parent) {
    RunningRequest child;
    const std::size_t num_full = parent.dense.seq_len() / kBlockSize;
    child.blocks.assign(parent.blocks.begin(), parent.blocks.begin() + std::ptrdiff_t(num_full));
    pool_.touch(child.blocks);
    const std::size_t size = num_full * kBlockSize * kTokenSize;
    child.dense.keys.assign(parent.dense.keys.begin(),
                            parent.dense.keys.begin() + std::ptrdiff_t(size));
    child.dense.values.assign(parent.dense.values.begin(),
                              parent.dense.values.begin() + std::ptrdiff_t(size));
    log_step({"touch(blocks)", "another request shares {0}"}, child.table());
    requests_.push_back(child);
    log_pool();
  }

  void end(RunningRequest& request) {
    log_step({"free_blocks(blocks)", "the request of table {0} ends"}, request.table());
    std::ranges::reverse(request.blocks);
    pool_.free_blocks(request.blocks);
    for (const KVCacheBlock* block : request.blocks) {
      if (block->ref_cnt == 0) poison(static_cast<std::size_t>(block->block_id));
    }
    std::swap(request, requests_.back());
    requests_.pop_back();
    log_pool();
  }

  void poison(std::size_t block) {
    constexpr std::size_t kSize = kBlockSize * kTokenSize;
    for (auto* numbers : {&keys_, &values_}) {
      poison_slots(std::span(*numbers).subspan(block * kSize, kSize), kTokenSize,
                   block * kBlockSize);
    }
  }

  void attend(const RunningRequest& request) {
    const auto query = random_numbers(random_, kNumHeads * kHeadDim);
    const std::size_t seq_len = request.dense.seq_len();
    std::vector<double> out(query.size());
    log_step({"paged_attention(seq_len, block_table)", "attend to {0} tokens of table {1}"},
             seq_len, request.table());
    paged_attention<double>(out, query, cache(), request.table(), seq_len, 0.5);
    log_returned();
    expect_near(out, oracle::dense_attention(request.dense, query, seq_len, 0.5), kDoubleTolerance,
                kHeadDim, slots_of(request));
  }

  // Without asking the code under test.
  static std::vector<SlotId> slots_of(const RunningRequest& request) {
    const Ids table = request.table();
    std::vector<SlotId> slots;
    for (std::size_t i = 0; i < request.dense.seq_len(); ++i) {
      slots.push_back(SlotId{table[i / kBlockSize]} * SlotId{kBlockSize} + SlotId(i % kBlockSize));
    }
    return slots;
  }

  // For the data of the story alone.
  void log_pool() {
    if (!is_recording()) return;
    log_detail("free", ids_of(pool_.free_block_queue().get_all_free_blocks()));
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      log_detail("block_tables." + std::to_string(i), requests_[i].table());
    }
  }

  KVCache<double> cache() {
    return {{num_blocks_, kBlockSize, kNumKvHeads, kHeadDim}, keys_, values_};
  }

  std::size_t num_blocks_;
  BlockPool pool_;
  std::vector<double> keys_;
  std::vector<double> values_;
  Random random_{1};  // for keys, values and queries; the calls are chosen by Choices
  std::vector<RunningRequest> requests_;
};

TEST(AttentionHistory, TwoHundredRuns) {
  SPEC("a request finds its own keys and values, whatever was in the block before",
       "5.4 paged_attention");
  expect_model_agrees<EngineModelTest>(
      {.num_runs = 200,
       .num_calls = 60,
       .sizes = [](std::uint64_t seed) { return Sizes{8 + seed % 24}; },
       .replay = "./lab grade 05"});
}

}  // namespace
}  // namespace kv::grader::attention_random

// Random histories of a queue in lockstep with the oracle. The whole pool is audited after each
// call.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <type_traits>

#include "01-free-queue/tests/recorded_queue.h"
#include "grader/harness/history.h"
#include "reference/free_queue_oracle.h"

namespace kv::grader {
namespace {

template <class Queue>
class QueueModelTest : public ModelTest {
 public:
  explicit QueueModelTest(const Sizes& sizes)
      : num_blocks_(sizes[0]), queue_(num_blocks_), oracle_(num_blocks_) {}

  void call(Choices choices) override {
    const std::size_t kind = choices.below(5);
    if (kind == 0) {
      queue_.expect_popleft(oracle_.popleft());
    } else if (kind == 1 && kHasBatches) {
      popleft_n(choices);
    } else if (kind == 2 && kHasBatches) {
      append_n(choices);
    } else {
      move(static_cast<BlockId>(choices.below(num_blocks_)));
    }
    queue_.audit();
    queue_.expect_free(oracle_.free_ids());
  }

 private:
  static constexpr bool kHasBatches = std::is_same_v<Queue, FreeKVCacheBlockQueue>;

  void move(BlockId id) {
    if (oracle_.contains(id)) {
      oracle_.remove(id);
      queue_.remove(id);
    } else {
      oracle_.append(id);
      queue_.append(id);
    }
  }

  // Up to four; one time in nine, one more than are free.
  void popleft_n(Choices choices) {
    if constexpr (kHasBatches) {
      const std::size_t num_free = oracle_.num_free_blocks();
      const std::size_t num_wanted = std::min(choices.below(5), num_free);
      if (choices.below(9) == 8) return queue_.expect_popleft_n(num_free + 1, std::nullopt);
      Ids expected;
      while (expected.size() < num_wanted) expected.push_back(*oracle_.popleft());
      queue_.expect_popleft_n(num_wanted, expected);
    }
  }

  // Up to four of the blocks outside the queue.
  void append_n(Choices choices) {
    if constexpr (kHasBatches) {
      Ids ids;
      for (std::size_t i = choices.below(5); i > 0; --i) {
        const auto id = static_cast<BlockId>(choices.below(num_blocks_));
        if (!oracle_.contains(id)) ids.push_back(id);
        if (!oracle_.contains(id)) oracle_.append(id);
      }
      queue_.append_n(ids);
    }
  }

  std::size_t num_blocks_;
  RecordedQueue<Queue> queue_;
  oracle::FreeQueueOracle oracle_;
};

Sizes few_blocks(std::uint64_t seed) {
  return {1 + seed % 8};
}

Sizes many_blocks(std::uint64_t) {
  return {64};
}

constexpr const char* kReplay = "./lab grade 01";

TEST(FreeQueueHistory, ManyShortRuns) {
  SPEC("I7: blocks leave in the order in which they came in, whatever the history", "1.6 append_n");
  expect_model_agrees<QueueModelTest<FreeKVCacheBlockQueue>>(
      {.num_runs = 200, .num_calls = 100, .sizes = few_blocks, .replay = kReplay});
}

TEST(FreeQueueHistory, OneLongRun) {
  SPEC("10,000 random calls over 64 blocks break no invariant", "1.6 append_n");
  expect_model_agrees<QueueModelTest<FreeKVCacheBlockQueue>>(
      {.num_runs = 1, .num_calls = 10'000, .sizes = many_blocks, .replay = kReplay});
}

TEST(FreeQueueHistory, OneLongCompactRun) {
  SPEC("10,000 random calls over 64 blocks, compact", "1.10 CompactFreeQueue::append");
  expect_model_agrees<QueueModelTest<CompactFreeQueue>>(
      {.num_runs = 1, .num_calls = 10'000, .sizes = many_blocks, .replay = kReplay});
}

}  // namespace
}  // namespace kv::grader

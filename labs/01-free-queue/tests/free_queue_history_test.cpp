// Random histories of a queue in lockstep with the oracle, calls that are refused among them.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <type_traits>

#include "01-free-queue/tests/recorded_queue.h"
#include "grader/harness/history.h"
#include "reference/free_queue_oracle.h"

namespace kv::grader {
namespace {

// kMisusesBatches: append_n gets lists, too, that it has to refuse. kPrepends: every second list is
// for prepend_n.
template <class Queue, bool kMisusesBatches = false, bool kPrepends = false>
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
      put_n(choices);
    } else {
      move(choices);
    }
  }

  void look() override {
    queue_.audit();
    queue_.expect_free(oracle_.free_ids());
  }

  // Everything is given back and taken again.
  void finish() override {
    for (std::size_t i = 0; i < num_blocks_; ++i) {
      const auto id = static_cast<BlockId>(i);
      if (oracle_.contains(id)) continue;
      oracle_.append(id);
      queue_.append(id);
    }
    look();
    for (std::size_t i = 0; i < num_blocks_; ++i) queue_.expect_popleft(oracle_.popleft());
    queue_.expect_popleft(std::nullopt);
    look();
  }

 private:
  static constexpr bool kHasBatches = std::is_same_v<Queue, FreeKVCacheBlockQueue>;

  // Takes a queued block out, or puts another one back. One time in four it is the other way round,
  // once or twice.
  void move(Choices choices) {
    const auto id = static_cast<BlockId>(choices.below(num_blocks_));
    const bool is_misuse = choices.below(4) == 3;
    const bool is_removed = oracle_.contains(id) != is_misuse;
    const auto move = [&] { is_removed ? queue_.remove(id) : queue_.append(id); };
    if (is_misuse) {
      for (std::size_t i = choices.below(2); i < 2; ++i)
        expect_refused(queue_, is_removed ? "it is outside the queue" : "it is in the queue", move);
      return;
    }
    is_removed ? oracle_.remove(id) : oracle_.append(id);
    move();
  }

  // Up to four; one time in nine, more than are free.
  void popleft_n(Choices choices) {
    if constexpr (kHasBatches) {
      const std::size_t num_free = oracle_.num_free_blocks();
      const std::size_t num_wanted = std::min(choices.below(5), num_free);
      if (choices.below(9) == 8) {
        return queue_.expect_popleft_n(more_than(num_free, choices), std::nullopt);
      }
      Ids expected;
      while (expected.size() < num_wanted) expected.push_back(*oracle_.popleft());
      queue_.expect_popleft_n(num_wanted, expected);
    }
  }

  // Up to four of the blocks outside the queue; with misuse, one time in four of any blocks.
  void put_n(Choices choices) {
    if constexpr (kHasBatches) {
      const bool is_prepended = kPrepends && choices.below(2) == 1;
      const bool is_careless = kMisusesBatches && choices.below(4) == 3;
      oracle::FreeQueueOracle after = oracle_;
      bool is_misuse = false;
      Ids ids;
      for (std::size_t i = choices.below(5); i > 0; --i) {
        const auto id = static_cast<BlockId>(choices.below(num_blocks_));
        const bool is_queued = after.contains(id);
        if (is_queued && !is_careless) continue;
        is_misuse |= is_queued;
        if (!is_queued) after.append(id);
        ids.push_back(id);
      }
      const auto put = [&] { is_prepended ? queue_.prepend_n(ids) : queue_.append_n(ids); };
      if (is_misuse) {
        expect_refused(queue_, "a block is in the queue already or listed twice", put);
        return expect_refused(queue_, "the same call a second time", put);
      }
      for (auto id = ids.rbegin(); is_prepended && id != ids.rend(); ++id) {
        after.remove(*id);
        after.prepend(*id);
      }
      oracle_ = after;
      put();
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

const Histories kWithRefusals = {
    .num_runs = 100, .num_calls = 100, .sizes = few_blocks, .replay = kReplay};

TEST(FreeQueueHistory, WithRefusedBatches) {
  SPEC("the same, with lists that append_n refuses, and the queue goes on after them",
       "1.6 append_n");
  expect_model_agrees<QueueModelTest<FreeKVCacheBlockQueue, true>>(kWithRefusals);
}

TEST(FreeQueueHistory, WithPrependedBatches) {
  SPEC("the same, with lists that come in at the head: they leave before all that wait",
       "1.11 prepend_n");
  expect_model_agrees<QueueModelTest<FreeKVCacheBlockQueue, true, true>>(kWithRefusals);
}

TEST(FreeQueueHistory, OneLongCompactRun) {
  SPEC("ten times 1,000 random calls over 64 blocks, compact", "1.10 CompactFreeQueue::append");
  expect_model_agrees<QueueModelTest<CompactFreeQueue>>(
      {.num_runs = 10, .num_calls = 1'000, .sizes = many_blocks, .replay = kReplay});
}

}  // namespace
}  // namespace kv::grader

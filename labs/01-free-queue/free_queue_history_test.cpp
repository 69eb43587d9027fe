// Random lives of a queue, in lockstep with the oracle, the whole pool audited after every step.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

#include "01-free-queue/compact_free_queue.h"
#include "01-free-queue/narrated_queue.h"
#include "grader/harness/random.h"
#include "reference/free_queue_oracle.h"

namespace kv::grader {
namespace {

template <class Queue>
class Lockstep {
 public:
  Lockstep(std::size_t num_blocks, std::uint64_t seed)
      : num_blocks_(num_blocks), queue_(num_blocks), oracle_(num_blocks), random_(seed) {
    start("free " + draw(oracle_.free_ids()) + "; to replay: --seed " + std::to_string(seed));
  }

  void random_step() {
    const auto id = static_cast<BlockId>(random_.below(num_blocks_));
    const std::size_t choice = random_.below(4);
    if (choice == 0) {
      popleft();
    } else if (choice == 1 && batches()) {
      batch();
    } else if (oracle_.contains(id)) {
      queue_.remove(id);
      oracle_.remove(id);
    } else {
      queue_.append(id);
      oracle_.append(id);
    }
    queue_.expect_free(oracle_.free_ids());
    queue_.audit();
  }

 private:
  static constexpr bool batches() { return std::is_same_v<Queue, FreeKVCacheBlockQueue>; }

  void popleft() {
    const std::optional<BlockId> expected = oracle_.popleft();
    EXPECT_EQ(queue_.popleft(), expected) << "popleft() gave the wrong block";
  }

  // Takes up to four blocks and puts them back at once; one time in nine more than there are.
  void batch() {
    if constexpr (batches()) {
      const bool too_many = random_.below(9) == 0;
      const std::size_t num_free = oracle_.num_free_blocks();
      const std::size_t num_taken =
          too_many ? num_free + 1 : std::min<std::size_t>(random_.below(5), num_free);
      const std::optional<Ids> popped = queue_.popleft_n(num_taken);
      EXPECT_EQ(popped.has_value(), !too_many) << "popleft_n gave the wrong answer";
      if (!popped || too_many) return;
      for (const BlockId id : *popped) {
        EXPECT_EQ(oracle_.popleft(), id) << "popleft_n gave the wrong block";
        oracle_.append(id);
      }
      queue_.append_n(*popped);
    }
  }

  std::size_t num_blocks_;
  NarratedQueue<Queue> queue_;
  oracle::FreeQueueOracle oracle_;
  Random random_;
};

template <class Queue>
void live(std::size_t num_blocks, std::size_t num_steps, std::uint64_t seed) {
  Lockstep<Queue> life(num_blocks, seed);
  for (std::size_t i = 0; i < num_steps && !testing::Test::HasFailure(); ++i) life.random_step();
}

TEST(FreeQueueHistory, ManyShortLives) {
  PINS("every history of calls leaves the queue as a plain line of ids would be", "1.6 append_n");
  for (std::size_t life = 0; life < 200 && !HasFailure(); ++life) {
    forget_story();
    const std::uint64_t seed = history_seed() + life;
    live<FreeKVCacheBlockQueue>(1 + seed % 8, 100, seed);
  }
}

TEST(FreeQueueHistory, OneLongLife) {
  PINS("10,000 random calls over 64 blocks break no law", "1.6 append_n");
  live<FreeKVCacheBlockQueue>(64, 10'000, history_seed());
}

TEST(FreeQueueHistory, OneLongCompactLife) {
  PINS("10,000 random calls over 64 blocks, compact", "1.10 CompactFreeQueue::append");
  live<CompactFreeQueue>(64, 10'000, history_seed());
}

}  // namespace
}  // namespace kv::grader

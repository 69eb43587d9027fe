#pragma once
// The cost of a call with a given number of free blocks, and the cost of a batch for each block.

#include <vector>

#include "01-free-queue/compact_free_queue.h"
#include "01-free-queue/free_kv_cache_block_queue.h"
#include "grader/harness/cost.h"

namespace kv::grader {

template <class Queue>
struct LongQueue {
  explicit LongQueue(std::size_t num_free_blocks) : blocks(num_free_blocks), queue(blocks) {}

  std::vector<KVCacheBlock> blocks;
  Queue queue;
};

template <class Queue>
Cost cost_of_each_listed(std::size_t num_free_blocks) {
  LongQueue<Queue> it(num_free_blocks);
  return share(cost_of([&] { it.queue.get_all_free_blocks(); }), num_free_blocks);
}

template <class Queue>
Cost cost_of_remove(std::size_t num_free_blocks) {
  LongQueue<Queue> it(num_free_blocks);
  const auto remove = [&](std::size_t i) {
    return cost_of([&] { it.queue.remove(it.blocks[i]); });
  };
  return worst_of({remove(0), remove(num_free_blocks - 1), remove(num_free_blocks / 2)});
}

template <class Queue>
Cost cost_of_popleft(std::size_t num_free_blocks) {
  LongQueue<Queue> it(num_free_blocks);
  return cost_of([&] { it.queue.popleft(); });
}

template <class Queue>
Cost cost_of_append(std::size_t num_free_blocks) {
  LongQueue<Queue> it(num_free_blocks);
  it.queue.remove(it.blocks.front());
  return cost_of([&] { it.queue.append(it.blocks.front()); });
}

template <class Queue>
Cost cost_of_num_free_blocks(std::size_t num_free_blocks) {
  LongQueue<Queue> it(num_free_blocks);
  return cost_of([&] { it.queue.num_free_blocks(); });
}

inline Cost cost_of_popleft_n(std::size_t num_free_blocks) {
  LongQueue<FreeKVCacheBlockQueue> it(num_free_blocks);
  return cost_of([&] { it.queue.popleft_n(10); });
}

inline Cost cost_of_each_in_popleft_n(std::size_t num_blocks) {
  LongQueue<FreeKVCacheBlockQueue> it(num_blocks);
  return share(cost_of([&] { it.queue.popleft_n(num_blocks); }), num_blocks);
}

inline Cost cost_of_append_n(std::size_t num_free_blocks) {
  LongQueue<FreeKVCacheBlockQueue> it(num_free_blocks);
  const auto blocks = it.queue.popleft_n(10);
  return cost_of([&] { it.queue.append_n(*blocks); });
}

inline Cost cost_of_each_in_append_n(std::size_t num_blocks) {
  LongQueue<FreeKVCacheBlockQueue> it(num_blocks);
  const auto blocks = it.queue.popleft_n(num_blocks);
  return share(cost_of([&] { it.queue.append_n(*blocks); }), num_blocks);
}

// It returns a vector, and that is memory.
template <class Queue>
inline const CostProbe kEachListingCost{"get_all_free_blocks(), for each block,", "free blocks",
                                        cost_of_each_listed<Queue>, Memory::kMayBeAskedFor, 2'000};
template <class Queue>
inline const CostProbe kCountCost{"num_free_blocks()", "free blocks",
                                  cost_of_num_free_blocks<Queue>};
template <class Queue>
inline const CostProbe kRemoveCost{"remove()", "free blocks", cost_of_remove<Queue>};
template <class Queue>
inline const CostProbe kPopleftCost{"popleft()", "free blocks", cost_of_popleft<Queue>};
template <class Queue>
inline const CostProbe kAppendCost{"append()", "free blocks", cost_of_append<Queue>};

// popleft_n returns a vector, and that is memory.
inline const CostProbe kPopleftNCost{"popleft_n() of 10", "free blocks", cost_of_popleft_n,
                                     Memory::kMayBeAskedFor};
inline const CostProbe kEachPopleftNCost{"popleft_n(), for each block,", "blocks asked for",
                                         cost_of_each_in_popleft_n, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kAppendNCost{"append_n() of 10", "free blocks", cost_of_append_n};
inline const CostProbe kEachAppendNCost{"append_n(), for each block,", "blocks listed",
                                        cost_of_each_in_append_n, Memory::kNone, 2'000};

}  // namespace kv::grader

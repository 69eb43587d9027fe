#pragma once
// The cost of a call with a given number of free blocks, and the cost of a batch for each block.

#include <algorithm>
#include <span>
#include <vector>

#include "01-free-queue/compact_free_queue.h"
#include "01-free-queue/free_kv_cache_block_queue.h"
#include "grader/harness/cost.h"
#include "kv/require.h"

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

// From a new queue, and when many of its blocks have left.
template <class Queue>
Cost cost_of_popleft(std::size_t num_free_blocks) {
  LongQueue<Queue> it(num_free_blocks);
  const auto popleft = [&] { return cost_of([&] { it.queue.popleft(); }); };
  const Cost when_new = popleft();
  const std::size_t num_left = std::min<std::size_t>(num_free_blocks / 2, 1'000);
  for (std::size_t i = 1; i < num_left; ++i) it.queue.remove(it.blocks[i]);
  return worst_of({when_new, popleft()});
}

// When the head has left, and when the tail has.
template <class Queue>
Cost cost_of_append(std::size_t num_free_blocks) {
  LongQueue<Queue> it(num_free_blocks);
  const auto append_again = [&](KVCacheBlock& block) {
    it.queue.remove(block);
    return cost_of([&] { it.queue.append(block); });
  };
  const Cost without_the_head = append_again(it.blocks.front());
  return worst_of({without_the_head, append_again(it.blocks.front())});  // which is the tail now
}

// Calls for each block, in one order.
template <class Call>
void for_each_in(Order order, std::span<KVCacheBlock> blocks, const Call& call) {
  for (std::size_t i = 0; i < blocks.size(); ++i) call(blocks[place_of(i, blocks.size(), order)]);
}

// The cost of each of many calls in a row: none may put work or a request for memory off until a
// later one.
template <class Queue>
Cost cost_of_each_removed(std::size_t num_blocks) {
  const auto remove_all = [&](Order order) {
    LongQueue<Queue> it(num_blocks);
    return cost_of([&] {
      for_each_in(order, it.blocks, [&](KVCacheBlock& block) { it.queue.remove(block); });
    });
  };
  return share(worst_order(remove_all), num_blocks);
}

template <class Queue>
Cost cost_of_each_popped(std::size_t num_blocks) {
  LongQueue<Queue> it(num_blocks);
  const auto pop_all = [&] {
    for (std::size_t i = 0; i < num_blocks; ++i) it.queue.popleft();
  };
  return share(cost_of(pop_all), num_blocks);
}

template <class Queue>
Cost cost_of_each_appended(std::size_t num_blocks) {
  const auto append_all = [&](Order order) {
    LongQueue<Queue> it(num_blocks);
    for (KVCacheBlock& block : it.blocks) it.queue.remove(block);
    return cost_of([&] {
      for_each_in(order, it.blocks, [&](KVCacheBlock& block) { it.queue.append(block); });
    });
  };
  return share(worst_order(append_all), num_blocks);
}

template <class Queue>
Cost cost_of_num_free_blocks(std::size_t num_free_blocks) {
  LongQueue<Queue> it(num_free_blocks);
  return cost_of([&] { it.queue.num_free_blocks(); });
}

inline Cost cost_of_popleft_n(std::size_t num_free_blocks) {
  LongQueue<FreeKVCacheBlockQueue> it(num_free_blocks);
  const auto popleft_n = [&](std::size_t num_blocks) {
    return cost_of([&] { it.queue.popleft_n(num_blocks); });
  };
  return worst_of({popleft_n(10), popleft_n(90)});
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

// Its last block is in the queue.
inline Cost cost_of_refused_append_n(std::size_t num_free_blocks) {
  LongQueue<FreeKVCacheBlockQueue> it(num_free_blocks);
  auto blocks = *it.queue.popleft_n(10);
  blocks.push_back(&it.blocks.back());
  return cost_of([&] {
    try {
      it.queue.append_n(blocks);
    } catch (const ContractViolation&) {  // as it should be: another test checks that
    }
  });
}

inline Cost cost_of_each_in_append_n(std::size_t num_blocks) {
  LongQueue<FreeKVCacheBlockQueue> it(num_blocks);
  const auto blocks = it.queue.popleft_n(num_blocks);
  return share(cost_of([&] { it.queue.append_n(*blocks); }), num_blocks);
}

inline Cost cost_of_prepend_n(std::size_t num_free_blocks) {
  LongQueue<FreeKVCacheBlockQueue> it(num_free_blocks);
  const auto blocks = it.queue.popleft_n(10);
  return cost_of([&] { it.queue.prepend_n(*blocks); });
}

inline Cost cost_of_each_in_prepend_n(std::size_t num_blocks) {
  LongQueue<FreeKVCacheBlockQueue> it(num_blocks);
  const auto blocks = it.queue.popleft_n(num_blocks);
  return share(cost_of([&] { it.queue.prepend_n(*blocks); }), num_blocks);
}

// It returns a vector, and that is memory.
template <class Queue>
inline const CostProbe kEachListingCost{"get_all_free_blocks(), for each block,", "free blocks",
                                        cost_of_each_listed<Queue>, Memory::kMayBeAskedFor, 2'000};
template <class Queue>
inline const CostProbe kCountCost{"num_free_blocks()", "free blocks",
                                  cost_of_num_free_blocks<Queue>, Memory::kMayBeAskedFor};
template <class Queue>
inline const CostProbe kRemoveCost{"remove()", "free blocks", cost_of_remove<Queue>};
template <class Queue>
inline const CostProbe kPopleftCost{"popleft()", "free blocks", cost_of_popleft<Queue>};
template <class Queue>
inline const CostProbe kAppendCost{"append()", "free blocks", cost_of_append<Queue>};
template <class Queue>
inline const CostProbe kEachRemoveCost{"remove(), for each block,", "blocks removed",
                                       cost_of_each_removed<Queue>, Memory::kNone, 2'000};
template <class Queue>
inline const CostProbe kEachPopleftCost{"popleft(), for each block,", "blocks popped",
                                        cost_of_each_popped<Queue>, Memory::kNone, 2'000};
template <class Queue>
inline const CostProbe kEachAppendCost{"append(), for each block,", "blocks appended",
                                       cost_of_each_appended<Queue>, Memory::kNone, 2'000};

// popleft_n returns a vector, and that is memory.
inline const CostProbe kPopleftNCost{"popleft_n() of 10 or 90", "free blocks", cost_of_popleft_n,
                                     Memory::kMayBeAskedFor};
inline const CostProbe kEachPopleftNCost{"popleft_n(), for each block,", "blocks asked for",
                                         cost_of_each_in_popleft_n, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kAppendNCost{"append_n() of 10", "free blocks", cost_of_append_n};
// The exception is memory.
inline const CostProbe kRefusedAppendNCost{"append_n() of 11 that is refused", "free blocks",
                                           cost_of_refused_append_n, Memory::kMayBeAskedFor};
inline const CostProbe kEachAppendNCost{"append_n(), for each block,", "blocks listed",
                                        cost_of_each_in_append_n, Memory::kNone, 2'000};
inline const CostProbe kPrependNCost{"prepend_n() of 10", "free blocks", cost_of_prepend_n};
inline const CostProbe kEachPrependNCost{"prepend_n(), for each block,", "blocks listed",
                                         cost_of_each_in_prepend_n, Memory::kNone, 2'000};

}  // namespace kv::grader

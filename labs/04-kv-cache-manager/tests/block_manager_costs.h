#pragma once
// What the calls of a BlockManager cost in a large pool, and for each block of a long sequence.

#include <string>
#include <utility>

#include "04-kv-cache-manager/block_manager.h"
#include "04-kv-cache-manager/tests/kv_cache_manager_costs.h"

namespace kv::grader {

// Blocks of one token. One half of the pool has been computed by a sequence, the other is free.
class BusyBlockManager {
 public:
  explicit BusyBlockManager(std::size_t num_blocks)
      : manager(2 * num_blocks + 100, 1), sequence{tokens_of_request("A", num_blocks)} {
    manager.may_append(sequence);
    manager.hash_blocks(sequence, num_blocks);
    sequence.request.num_computed_tokens = num_blocks;
  }

  BlockManager manager;
  Sequence sequence;
};

// The second one taken: the first may have to tidy up.
inline Cost cost_of_taking(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  busy.manager.allocate_block();
  return cost_of([&] { busy.manager.allocate_block(); });
}

// Another token of a long sequence. Why the cheaper of two: now and then a table has to grow.
inline Cost cost_of_growing(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  const auto grow = [&] {
    busy.sequence.request.token_ids.push_back(7);
    update_block_hashes(busy.sequence.request);
    return cost_of([&] {
      busy.manager.can_append(busy.sequence);
      busy.manager.may_append(busy.sequence);
      busy.manager.hash_blocks(busy.sequence, 1);
      ++busy.sequence.request.num_computed_tokens;
    });
  };
  const Cost first = grow();
  const Cost second = grow();
  return first.num_bytes_moved < second.num_bytes_moved ? first : second;
}

inline Cost cost_of_each_deallocated(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  return share(cost_of([&] { busy.manager.deallocate(busy.sequence); }), num_blocks);
}

// Ten hits in the middle of the free queue, and ten new blocks.
inline Cost cost_of_reviving(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  busy.manager.deallocate(busy.sequence);
  Sequence again{tokens_of_request("B", 10)};
  for (TokenId token = -10; token < 0; ++token) again.request.token_ids.push_back(token);
  update_block_hashes(again.request);
  return cost_of([&] { busy.manager.allocate(again, *busy.manager.can_allocate(again)); });
}

// A long sequence of which only one block is cached.
inline Cost cost_of_a_miss(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  Sequence other{tokens_of_request("B", num_blocks, 0)};
  other.request.token_ids[1] = -1;
  other.request.block_hashes.clear();
  other.request.block_extra_keys.clear();
  update_block_hashes(other.request);
  return cost_of([&] { busy.manager.get_cached_blocks(other.request); });
}

inline Cost cost_of_each_given(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  Sequence other{tokens_of_request("B", num_blocks, -1'000'000)};
  return share_with_allocations(cost_of([&] { busy.manager.allocate(other, 0); }), num_blocks);
}

inline const CostProbe kTakingCost{"allocate_block()", "blocks", cost_of_taking,
                                   Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kGrowingCost{"growing a sequence by one token", "blocks in the table",
                                    cost_of_growing, Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kEachDeallocatedCost{"deallocate(), for each block,", "blocks",
                                            cost_of_each_deallocated, Memory::kNone, 2'000};
inline const CostProbe kRevivingCost{"allocate() of 10 free hits and 10 new blocks", "free blocks",
                                     cost_of_reviving, Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kMissCost{"get_cached_blocks() of one block", "blocks of the sequence",
                                 cost_of_a_miss, Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kEachGivenCost{"allocate(), for each block,", "new blocks",
                                      cost_of_each_given, Memory::kMayBeAskedFor, 2'000};

}  // namespace kv::grader

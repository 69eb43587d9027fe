// What a call of a BlockManager may cost, in a large pool and for each block of a long sequence:
// counted, never timed.

#include <gtest/gtest.h>

#include <string>

#include "04-kv-cache-manager/block_manager.h"
#include "04-kv-cache-manager/tests/block_manager_recorder.h"
#include "04-kv-cache-manager/tests/kv_cache_manager_costs.h"

namespace kv::grader {
namespace {

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
Cost cost_of_taking(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  busy.manager.allocate_block();
  return cost_of([&] { busy.manager.allocate_block(); });
}

// Another token of a long sequence.
Cost cost_of_growing(std::size_t num_blocks) {
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
  return cheaper_of(grow(), grow());
}

Cost cost_of_each_deallocated(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  return share(cost_of([&] { busy.manager.deallocate(busy.sequence); }), num_blocks);
}

// Ten hits in the middle of the free queue, and ten new blocks.
Cost cost_of_reviving(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  busy.manager.deallocate(busy.sequence);
  Sequence again{tokens_of_request("B", 10)};
  for (TokenId token = -10; token < 0; ++token) again.request.token_ids.push_back(token);
  update_block_hashes(again.request);
  return cost_of([&] { busy.manager.allocate(again, *busy.manager.can_allocate(again)); });
}

// A long sequence of which only one block is cached.
Cost cost_of_a_miss(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  Sequence other{tokens_of_request("B", num_blocks, 0)};
  other.request.token_ids[1] = -1;
  other.request.block_hashes.clear();
  other.request.block_extra_keys.clear();
  update_block_hashes(other.request);
  return cost_of([&] { busy.manager.get_cached_blocks(other.request); });
}

Cost cost_of_each_given(std::size_t num_blocks) {
  BusyBlockManager busy(num_blocks);
  Sequence other{tokens_of_request("B", num_blocks, -1'000'000)};
  return share_with_allocations(cost_of([&] { busy.manager.allocate(other, 0); }), num_blocks);
}

const CostProbe kTakingCost{"allocate_block()", "blocks", cost_of_taking, Memory::kMayBeAskedFor,
                            20'000};
const CostProbe kGrowingCost{"growing a sequence by one token", "blocks in the table",
                             cost_of_growing, Memory::kMayBeAskedFor, 20'000};
const CostProbe kEachDeallocatedCost{"deallocate(), for each block,", "blocks",
                                     cost_of_each_deallocated, Memory::kNone, 2'000};
const CostProbe kRevivingCost{"allocate() of 10 free hits and 10 new blocks", "free blocks",
                              cost_of_reviving, Memory::kMayBeAskedFor, 20'000};
const CostProbe kMissCost{"get_cached_blocks() of one block", "blocks of the sequence",
                          cost_of_a_miss, Memory::kMayBeAskedFor, 20'000};
const CostProbe kEachGivenCost{"allocate(), for each block,", "new blocks", cost_of_each_given,
                               Memory::kMayBeAskedFor, 2'000};

TEST(BlockManagerCost, OfTaking) {
  SPEC("a block is taken without a look at the others", kBlockManager, "4.13 O(1) expected");
  expect_cost(kTakingCost);
}

TEST(BlockManagerCost, OfFreeing) {
  SPEC("a block is freed without a look at the others, and without memory", kBlockManager,
       "4.16 O(its blocks)", "4.16 allocates nothing");
  expect_cost(kEachDeallocatedCost);
}

TEST(BlockManagerCost, OfGrowing) {
  SPEC("a token more costs the same in a long sequence as in a short one", kBlockManager,
       "4.14 O(1)", "4.15 O(new blocks)", "4.17 O(blocks cached)");
  expect_cost(kGrowingCost);
}

TEST(BlockManagerCost, OfAMiss) {
  SPEC("the search ends at the first block that is not found", kBlockManager,
       "4.18 O(blocks found + 1)");
  expect_cost(kMissCost);
}

TEST(BlockManagerCost, OfReviving) {
  SPEC("a hit leaves the free queue without a search, however many blocks are free", kBlockManager,
       "4.19 O(hits)", "4.20 O(its blocks)");
  expect_cost(kRevivingCost);
  expect_cost(kEachGivenCost);
}

}  // namespace

}  // namespace kv::grader

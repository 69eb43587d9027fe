#pragma once
// The cost of a call with a large pool, a long table or many requests, and of each block of a list.

#include <numeric>
#include <string>
#include <vector>

#include "04-kv-cache-manager/kv_cache_manager.h"
#include "grader/harness/cost.h"

namespace kv::grader {

inline Request tokens_of_request(const std::string& id, std::size_t num_tokens, TokenId first = 0) {
  Request request{.request_id = id, .block_size = 1, .token_ids = std::vector<TokenId>(num_tokens)};
  std::iota(request.token_ids.begin(), request.token_ids.end(), first);
  update_block_hashes(request);
  return request;
}

// A request of that many blocks of one token runs in a pool with as many blocks left, and another
// one, of 20 blocks, beside it.
class BusyManager {
 public:
  explicit BusyManager(std::size_t num_blocks)
      : manager(2 * num_blocks + 100, 1, 4 * num_blocks + 100),
        request(tokens_of_request("A", num_blocks)) {
    manager.allocate_slots(request, num_blocks);
    request.num_computed_tokens = num_blocks;
    other.num_computed_tokens = 0;
    manager.allocate_slots(other, 20);
    other.num_computed_tokens = 20;
  }

  KVCacheManager manager;
  Request request;
  Request other = tokens_of_request("B", 20, -1000);
};

// Blocks without a pool.
class LooseBlocks {
 public:
  explicit LooseBlocks(std::size_t num_blocks) : blocks_(num_blocks) {
    for (KVCacheBlock& block : blocks_) {
      pointers.push_back(&block);
      block.block_id = static_cast<BlockId>(pointers.size());  // I8: #0 would be the null block
    }
  }

 private:
  std::vector<KVCacheBlock> blocks_;

 public:
  std::vector<KVCacheBlock*> pointers;
};

// A table of that many blocks of one token.
class LongTable {
 public:
  explicit LongTable(std::size_t num_blocks) : blocks(num_blocks) { table.append(blocks.pointers); }

  LooseBlocks blocks;
  BlockTable table{1};
};

inline Cost cost_of_each_append(std::size_t num_blocks) {
  const LooseBlocks blocks(num_blocks);
  BlockTable table(16);
  return share_with_allocations(cost_of([&] { table.append(blocks.pointers); }), num_blocks);
}

// The next block of a table that has some.
inline Cost cost_of_one_append(std::size_t num_blocks) {
  LongTable made(num_blocks);
  const std::span<KVCacheBlock* const> one = std::span(made.blocks.pointers).first(1);
  made.table.append(one);  // Why: this one may make room for the next
  return cost_of([&] { made.table.append(one); });
}

inline Cost cost_of_slot(std::size_t num_blocks) {
  const LongTable made(num_blocks);
  const BlockTable& table = made.table;
  return worst_of({cost_of([&] { table.slot(0); }), cost_of([&] { table.slot(num_blocks - 1); })});
}

inline Cost cost_of_each_slot(std::size_t num_tokens) {
  const LongTable made(num_tokens);
  const BlockTable& table = made.table;
  return share(cost_of([&] { table.slot_mapping(0, num_tokens); }), num_tokens);
}

inline Cost cost_of_few_slots(std::size_t num_blocks) {
  const LongTable made(num_blocks);
  const BlockTable& table = made.table;
  return cost_of([&] { table.slot_mapping(num_blocks - 10, 10); });
}

// A manager that has cached a request of that many blocks of one token, which is gone.
class FilledManager {
 public:
  explicit FilledManager(std::size_t num_blocks)
      : manager(2 * num_blocks + 100, 1, 4 * num_blocks + 100) {
    BlockPool& pool = manager.block_pool();
    const auto blocks = *pool.get_new_blocks(num_blocks);
    pool.cache_full_blocks(tokens_of_request("A", num_blocks), blocks, 0, num_blocks);
    pool.free_blocks(std::vector(blocks.rbegin(), blocks.rend()));
  }

  KVCacheManager manager;
};

// The cost of a hit of ten blocks, beside all that is cached.
inline Cost cost_of_finding(std::size_t num_blocks) {
  const FilledManager filled(num_blocks);
  const Request again = tokens_of_request("C", 11);
  return cost_of([&] { filled.manager.get_computed_blocks(again); });
}

// What get_computed_blocks asks of memory that the pool's own search does not.
inline Cost cost_of_each_found(std::size_t num_blocks) {
  FilledManager filled(num_blocks);
  const Request again = tokens_of_request("C", num_blocks + 1);
  const Cost all = cost_of([&] { filled.manager.get_computed_blocks(again); });
  const Cost pools =
      cost_of([&] { filled.manager.block_pool().find_longest_cache_hit(again, num_blocks); });
  Cost each = share(all, num_blocks);
  each.num_allocations = all.num_allocations - std::min(all.num_allocations, pools.num_allocations);
  return each;
}

// The cost of a long prompt of which nothing is cached.
inline Cost cost_of_finding_nothing(std::size_t num_blocks) {
  const FilledManager filled(100);
  const Request other = tokens_of_request("C", num_blocks, -1'000'000);
  return cost_of([&] { filled.manager.get_computed_blocks(other); });
}

inline Cost cost_of_asking(std::size_t num_blocks) {
  const BusyManager busy(num_blocks);
  Request next = busy.request;
  return cost_of([&] { busy.manager.get_num_blocks_to_allocate(next, 2); });
}

inline Cost cost_of_each_hit_asked(std::size_t num_hits) {
  const FilledManager filled(num_hits);
  const Request again = tokens_of_request("C", num_hits + 1);
  const auto hits = filled.manager.get_computed_blocks(again).blocks;
  return share(cost_of([&] { filled.manager.get_num_blocks_to_allocate(again, 1, {hits}); }),
               num_hits);
}

// One step of decode of a long request.
inline Cost cost_of_decoding(std::size_t num_blocks) {
  BusyManager busy(num_blocks);
  const auto decode = [&] {
    busy.request.token_ids.push_back(7);
    update_block_hashes(busy.request);
    const Cost cost = cost_of([&] { busy.manager.allocate_slots(busy.request, 1); });
    ++busy.request.num_computed_tokens;
    return cost;
  };
  return cheaper_of(decode(), decode());
}

inline Cost cost_of_each_allocated(std::size_t num_blocks) {
  KVCacheManager manager(2 * num_blocks + 1, 1, 4 * num_blocks);
  const Request request = tokens_of_request("A", num_blocks);
  return share_with_allocations(cost_of([&] { manager.allocate_slots(request, num_blocks); }),
                                num_blocks);
}

inline Cost cost_of_freeing_beside(std::size_t num_blocks) {
  BusyManager busy(num_blocks);
  return cost_of([&] { busy.manager.free(busy.other); });
}

inline Cost cost_of_each_freed_block(std::size_t num_blocks) {
  BusyManager busy(num_blocks);
  return share_with_allocations(cost_of([&] { busy.manager.free(busy.request); }), num_blocks);
}

// The cost for a request whose first block no other one holds.
inline Cost cost_of_nothing_in_common(std::size_t num_blocks) {
  const BusyManager busy(num_blocks);
  return cost_of([&] { busy.manager.get_num_common_prefix_blocks("A"); });
}

inline Cost cost_of_common_beside(std::size_t num_requests) {
  KVCacheManager manager(num_requests + 1, 1, 10);
  for (std::size_t i = 0; i < num_requests; ++i)
    manager.allocate_slots(tokens_of_request(std::to_string(i), 1, static_cast<TokenId>(i)), 1);
  return cost_of([&] { manager.get_num_common_prefix_blocks("0"); });
}

inline Cost cost_of_each_in_common(std::size_t num_blocks) {
  BusyManager busy(num_blocks);
  busy.manager.free(busy.other);
  return share(cost_of([&] { busy.manager.get_num_common_prefix_blocks("A"); }), num_blocks);
}

inline Cost cost_of_each_forked(std::size_t num_blocks) {
  BusyManager busy(num_blocks);
  return share_with_allocations(cost_of([&] { busy.manager.fork(busy.request, "F"); }), num_blocks);
}

// A fork of a request with one token, and with room for many.
inline Cost cost_of_each_block_of_a_fork(std::size_t num_blocks) {
  KVCacheManager manager(3 * num_blocks, 1, 4 * num_blocks);
  Request request = tokens_of_request("A", 1);
  manager.allocate_slots(request, 1, {.num_lookahead_tokens = num_blocks});
  request.num_computed_tokens = 1;
  Request child = manager.fork(request, "F");
  append_output_token_ids(child, std::vector<TokenId>{7});
  return share_with_allocations(cost_of([&] { manager.allocate_slots(child, 1); }), num_blocks);
}

inline Cost cost_of_each_accepted(std::size_t num_blocks) {
  BusyManager busy(num_blocks);
  const Request child = busy.manager.fork(busy.request, "F");
  return share_with_allocations(cost_of([&] { busy.manager.accept(busy.request, child); }),
                                num_blocks);
}

inline const CostProbe kEachAppendCost{"append(), for each block,", "blocks", cost_of_each_append,
                                       Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kOneAppendCost{"append() of one more", "blocks", cost_of_one_append,
                                      Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kSlotCost{"slot()", "blocks in the table", cost_of_slot, Memory::kNone,
                                 20'000};
inline const CostProbe kEachSlotCost{"slot_mapping(), for each token,", "tokens", cost_of_each_slot,
                                     Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kFewSlotsCost{"slot_mapping() of 10", "blocks in the table",
                                     cost_of_few_slots, Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kFindingCost{"get_computed_blocks() of 10", "blocks cached", cost_of_finding,
                                    Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kFindingNothingCost{"get_computed_blocks() of nothing",
                                           "blocks in the prompt", cost_of_finding_nothing,
                                           Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEachFoundCost{"get_computed_blocks(), for each block,", "blocks found",
                                      cost_of_each_found, Memory::kNone, 256};
inline const CostProbe kAskingCost{"get_num_blocks_to_allocate()", "blocks in the table",
                                   cost_of_asking, Memory::kNone, 20'000};
inline const CostProbe kEachHitAskedCost{"get_num_blocks_to_allocate(), for each hit,", "hits",
                                         cost_of_each_hit_asked, Memory::kNone, 2'000};
inline const CostProbe kDecodingCost{"allocate_slots() of one token", "blocks in the table",
                                     cost_of_decoding, Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kEachAllocatedCost{"allocate_slots(), for each block,", "new blocks",
                                          cost_of_each_allocated, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kFreeingBesideCost{"free() of 20 blocks", "blocks of another request",
                                          cost_of_freeing_beside, Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kEachFreedCost{"free(), for each block,", "blocks", cost_of_each_freed_block,
                                      Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kNothingInCommonCost{"get_num_common_prefix_blocks() of none",
                                            "blocks in the table", cost_of_nothing_in_common,
                                            Memory::kNone, 20'000};
inline const CostProbe kCommonBesideCost{"get_num_common_prefix_blocks() of none", "other requests",
                                         cost_of_common_beside, Memory::kNone, 20'000};
inline const CostProbe kEachInCommonCost{"get_num_common_prefix_blocks(), for each block,",
                                         "common blocks", cost_of_each_in_common, Memory::kNone,
                                         2'000};
inline const CostProbe kEachForkedCost{"fork(), for each block,", "blocks", cost_of_each_forked,
                                       Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEachUnsharedCost{"allocate_slots() of a fork, for each block,", "blocks",
                                         cost_of_each_block_of_a_fork, Memory::kMayBeAskedFor,
                                         2'000};
inline const CostProbe kEachAcceptedCost{"accept(), for each block,", "blocks",
                                         cost_of_each_accepted, Memory::kMayBeAskedFor, 2'000};

}  // namespace kv::grader

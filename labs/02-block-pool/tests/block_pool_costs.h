#pragma once
// The cost of a call in a large pool, and the cost of a list for each of its blocks.

#include <span>
#include <vector>

#include "02-block-pool/block_pool.h"
#include "grader/harness/cost.h"
#include "kv/require.h"

namespace kv::grader {

inline constexpr std::size_t kBlockSize = 16;

// All but the null block.
inline std::vector<KVCacheBlock*> blocks_of_pool(BlockPool& pool, Order order = Order::kAscending) {
  const std::span<KVCacheBlock> all = pool.blocks().subspan(1);
  std::vector<KVCacheBlock*> blocks;
  for (std::size_t i = 0; i < all.size(); ++i)
    blocks.push_back(&all[place_of(i, all.size(), order)]);
  return blocks;
}

inline Cost cost_of_get_num_free_blocks(std::size_t num_gpu_blocks) {
  const BlockPool pool(num_gpu_blocks, kBlockSize);
  return cost_of([&] { pool.get_num_free_blocks(); });
}

// Half of the pool is in use.
inline Cost cost_of_counting_in_use(std::size_t num_gpu_blocks) {
  BlockPool pool(num_gpu_blocks, kBlockSize);
  pool.get_new_blocks(num_gpu_blocks / 2);
  return cost_of([&] { pool.get_num_free_blocks(); });
}

// Nothing is in use at first, and then half of the pool.
inline Cost cost_of_get_usage(std::size_t num_gpu_blocks) {
  BlockPool pool(num_gpu_blocks, kBlockSize);
  const Cost when_free = cost_of([&] { pool.get_usage(); });
  pool.get_new_blocks(num_gpu_blocks / 2);
  return worst_of({when_free, cost_of([&] { pool.get_usage(); })});
}

inline Cost cost_of_get_new_blocks(std::size_t num_gpu_blocks) {
  BlockPool pool(num_gpu_blocks, kBlockSize);
  const auto claim = [&](std::size_t num_blocks) {
    return cost_of([&] { pool.get_new_blocks(num_blocks); });
  };
  return worst_of({claim(10), claim(80)});
}

// Caches blocks of a pool as one prompt.
inline void seal_all(BlockPool& pool, std::span<KVCacheBlock* const> blocks) {
  Request request{.request_id = "r", .block_size = kBlockSize, .token_ids = {}};
  request.token_ids.resize(blocks.size() * kBlockSize);
  update_block_hashes(request);
  pool.cache_full_blocks(request, blocks, 0, blocks.size());
}

// The blocks of one pool are new, and each block of another one is cached.
inline Cost cost_of_each_new_block(std::size_t num_blocks) {
  const auto claim = [&](BlockPool& pool) {
    return share(cost_of([&] { pool.get_new_blocks(num_blocks); }), num_blocks);
  };
  BlockPool pool(num_blocks + 1, kBlockSize);
  BlockPool cached(num_blocks + 1, kBlockSize);
  seal_all(cached, blocks_of_pool(cached));
  return worst_of({claim(pool), claim(cached)});
}

// From the head, the middle and the tail of the queue; the null block is listed, too.
inline Cost cost_of_touch(std::size_t num_gpu_blocks) {
  BlockPool pool(num_gpu_blocks, kBlockSize);
  const auto all = pool.blocks();
  const std::vector<KVCacheBlock*> blocks = {&all[1], &all[0], &all[num_gpu_blocks / 2],
                                             &all.back()};
  return cost_of([&] { pool.touch(blocks); });
}

// Everything is in use at first, and then half of the pool; the null block is listed, too.
template <EvictionOrder kOrder = EvictionOrder::kFreedFirst>
Cost cost_of_free_blocks(std::size_t num_gpu_blocks) {
  BlockPool pool(num_gpu_blocks, kBlockSize, true, kOrder);
  std::vector<KVCacheBlock*> used = *pool.get_new_blocks(num_gpu_blocks - 1);
  for (const std::size_t i : {std::size_t{1}, num_gpu_blocks - 9})
    used.insert(used.begin() + static_cast<std::ptrdiff_t>(i), &pool.null_block());
  const auto free = [&](std::size_t first, std::size_t num) {
    const auto blocks = std::span(used).subspan(first, num);
    return cost_of([&] { pool.free_blocks(blocks); });
  };
  const Cost when_full = free(0, 4);
  free(4, num_gpu_blocks / 2);
  return worst_of({when_full, free(num_gpu_blocks - 10, 4)});
}

// The cost of each of many calls in a row, each with one block: none may put work or a request for
// memory off until a later one.
template <class Call>
Cost cost_of_each_call(std::span<KVCacheBlock* const> blocks, const Call& call) {
  const auto call_for_each = [&] {
    for (std::size_t i = 0; i < blocks.size(); ++i) call(blocks.subspan(i, 1));
  };
  return share(cost_of(call_for_each), blocks.size());
}

inline Cost cost_of_each_touch(std::size_t num_calls) {
  return worst_order([&](Order order) {
    BlockPool pool(num_calls + 1, kBlockSize);
    const auto touch = [&](std::span<KVCacheBlock* const> block) { pool.touch(block); };
    return cost_of_each_call(blocks_of_pool(pool, order), touch);
  });
}

inline Cost cost_of_each_free(std::size_t num_calls) {
  return worst_order([&](Order order) {
    BlockPool pool(num_calls + 1, kBlockSize);
    const auto all = blocks_of_pool(pool, order);
    pool.touch(all);
    const auto free = [&](std::span<KVCacheBlock* const> block) { pool.free_blocks(block); };
    return cost_of_each_call(all, free);
  });
}

// It lists a block with one user twice.
inline Cost cost_of_refused_free_blocks(std::size_t num_gpu_blocks) {
  BlockPool pool(num_gpu_blocks, kBlockSize);
  auto blocks = *pool.get_new_blocks(3);
  blocks.push_back(blocks.front());
  return cost_of([&] {
    try {
      pool.free_blocks(blocks);
    } catch (const ContractViolation&) {  // as it should be: another test checks that
    }
  });
}

// The blocks are free, without and with a hash, or in use, or one block is listed again and again.
inline Cost cost_of_each_touched_in(Order order, std::size_t num_blocks) {
  BlockPool pool(num_blocks + 1, kBlockSize);
  const auto all = blocks_of_pool(pool, order);
  const std::vector<KVCacheBlock*> one(num_blocks, all.front());
  const auto touch = [&](std::span<KVCacheBlock* const> blocks) {
    return share(cost_of([&] { pool.touch(blocks); }), num_blocks);
  };
  const Cost free = touch(all);
  const Cost used = touch(all);
  BlockPool cached(num_blocks + 1, kBlockSize);
  const auto cached_blocks = blocks_of_pool(cached, order);
  seal_all(cached, cached_blocks);
  const Cost revived = share(cost_of([&] { cached.touch(cached_blocks); }), num_blocks);
  return worst_of({free, used, revived, touch(one)});
}
inline Cost cost_of_each_touched(std::size_t num_blocks) {
  return worst_order([&](Order order) { return cost_of_each_touched_in(order, num_blocks); });
}

// The blocks have other users, or are free afterwards, without and with a hash, or one block is
// listed again and again.
template <EvictionOrder kOrder>
Cost cost_of_each_freed_in(Order order, std::size_t num_blocks) {
  BlockPool pool(num_blocks + 1, kBlockSize, true, kOrder);
  const auto all = blocks_of_pool(pool, order);
  const std::vector<KVCacheBlock*> one(num_blocks, all.front());
  for (int i = 0; i < 2; ++i) pool.touch(all);
  pool.touch(one);
  const auto free = [&](std::span<KVCacheBlock* const> blocks) {
    return share(cost_of([&] { pool.free_blocks(blocks); }), num_blocks);
  };
  const Cost one_block = free(one);
  const Cost shared = free(all);
  const Cost uncached = free(all);
  pool.touch(all);
  seal_all(pool, all);
  return worst_of({one_block, shared, uncached, free(all)});
}
template <EvictionOrder kOrder = EvictionOrder::kFreedFirst>
Cost cost_of_each_freed(std::size_t num_blocks) {
  return worst_order([&](Order order) { return cost_of_each_freed_in<kOrder>(order, num_blocks); });
}

inline const CostProbe kCountCost{"get_num_free_blocks()", "blocks", cost_of_get_num_free_blocks,
                                  Memory::kMayBeAskedFor};
inline const CostProbe kCountInUseCost{"get_num_free_blocks() with half in use", "blocks",
                                       cost_of_counting_in_use, Memory::kMayBeAskedFor};
inline const CostProbe kUsageCost{"get_usage()", "blocks", cost_of_get_usage,
                                  Memory::kMayBeAskedFor};
// get_new_blocks returns a vector, and that is memory.
inline const CostProbe kClaimCost{"get_new_blocks() of 10 or 80", "blocks", cost_of_get_new_blocks,
                                  Memory::kMayBeAskedFor};
inline const CostProbe kEachClaimCost{"get_new_blocks(), for each block,", "blocks asked for",
                                      cost_of_each_new_block, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kTouchCost{"touch() of 4", "blocks", cost_of_touch};
inline const CostProbe kEachTouchCost{"touch(), for each block,", "blocks listed",
                                      cost_of_each_touched, Memory::kNone, 2'000};
inline const CostProbe kFreeCost{"free_blocks() of 4", "blocks", cost_of_free_blocks<>};
inline const CostProbe kEachFreeCost{"free_blocks(), for each block,", "blocks listed",
                                     cost_of_each_freed<>, Memory::kNone, 2'000};
// It makes two lists.
inline const CostProbe kFreeUnhashedFirstCost{"free_blocks() of 4, unhashed first,", "blocks",
                                              cost_of_free_blocks<EvictionOrder::kUnhashedFirst>,
                                              Memory::kMayBeAskedFor};
inline const CostProbe kEachFreeUnhashedFirstCost{
    "free_blocks(), unhashed first, for each block,", "blocks listed",
    cost_of_each_freed<EvictionOrder::kUnhashedFirst>, Memory::kMayBeAskedFor, 2'000};

inline const CostProbe kManyTouchesCost{"touch(), for each call,", "calls", cost_of_each_touch,
                                        Memory::kNone, 2'000};
inline const CostProbe kManyFreesCost{"free_blocks(), for each call,", "calls", cost_of_each_free,
                                      Memory::kNone, 2'000};
// The exception is memory.
inline const CostProbe kRefusedFreeCost{"free_blocks() of 4 that is refused", "blocks",
                                        cost_of_refused_free_blocks, Memory::kMayBeAskedFor};

}  // namespace kv::grader

#pragma once
// What a call costs when much is cached already, and what a long prompt costs for each block.

#include <algorithm>
#include <numeric>
#include <vector>

#include "02-block-pool/block_pool.h"
#include "grader/harness/cost.h"

namespace kv::grader {

// A prompt of blocks of one token each: first_token, first_token + 1, ...
inline Request prompt_of_blocks(std::size_t num_blocks, TokenId first_token = 0) {
  Request request{.request_id = "r", .block_size = 1, .token_ids = {}};
  request.token_ids.resize(num_blocks);
  std::iota(request.token_ids.begin(), request.token_ids.end(), first_token);
  update_block_hashes(request);
  return request;
}

constexpr std::size_t kNumRepeats = 5;

// A pool with that many cached blocks, one chain of them, and room for a few more.
struct FullCache {
  explicit FullCache(std::size_t num_cached)
      : pool(num_cached + 1 + 10 * kNumRepeats, 1),
        request(prompt_of_blocks(num_cached)),
        table(*pool.get_new_blocks(num_cached)) {
    pool.cache_full_blocks(request, table, 0, num_cached);
  }

  BlockPool pool;
  Request request;
  std::vector<KVCacheBlock*> table;
};

// One that every table pays now and then, when it has to grow, is not the price of a call.
template <class Call>
Cost usual_cost(Call call) {
  std::vector<Cost> costs;
  for (std::size_t i = 0; i < kNumRepeats; ++i) costs.push_back(call(i));
  return *std::ranges::min_element(costs, {}, &Cost::num_steps);
}

inline Cost cost_of_hashing(std::size_t num_hashed) {
  Request request = prompt_of_blocks(num_hashed);
  return usual_cost([&](std::size_t) {
    request.token_ids.push_back(1);
    return cost_of([&] { update_block_hashes(request); });
  });
}

// Blocks that hold one prefix, side by side, and room for a few more. order: of their ids.
struct Duplicates {
  static constexpr PrefixId kPrefix = 7;

  explicit Duplicates(std::size_t num_blocks, Order of_ids = Order::kAscending)
      : blocks(num_blocks + kNumRepeats), order(of_ids) {
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].block_id = static_cast<BlockId>(i);
    for (std::size_t i = 0; i < num_blocks; ++i) map.insert(kPrefix, block(i));
  }
  // The i-th that is inserted.
  KVCacheBlock& block(std::size_t i) { return blocks[place_of(i, blocks.size(), order)]; }

  std::vector<KVCacheBlock> blocks;
  Order order;
  BlockHashToBlockMap map;
};

// The cost of each insert, of blocks that hold so many prefixes.
inline Cost cost_of_each_inserted(std::size_t num_blocks, PrefixId num_prefixes, Order order) {
  Duplicates it(0, order);
  it.blocks = std::vector<KVCacheBlock>(num_blocks);
  for (std::size_t i = 0; i < num_blocks; ++i) it.blocks[i].block_id = static_cast<BlockId>(i);
  const auto insert_all = [&] {
    for (std::size_t i = 0; i < num_blocks; ++i)
      it.map.insert(place_of(i, num_blocks, order) % num_prefixes, it.block(i));
  };
  return share_with_allocations(cost_of(insert_all), num_blocks);
}
inline Cost cost_of_each_duplicate(std::size_t num_blocks) {
  return worst_order([&](Order order) { return cost_of_each_inserted(num_blocks, 1, order); });
}
inline Cost cost_of_each_prefix_inserted(std::size_t num_blocks) {
  return worst_order(
      [&](Order order) { return cost_of_each_inserted(num_blocks, num_blocks, order); });
}

inline Cost cost_of_a_duplicate(std::size_t num_blocks) {
  Duplicates it(num_blocks);
  return usual_cost([&](std::size_t i) {
    return cost_of([&] { it.map.insert(it.kPrefix, it.blocks[num_blocks + i]); });
  });
}

inline Cost cost_of_the_oldest(std::size_t num_blocks) {
  const Duplicates it(num_blocks);
  return cost_of([&] { it.map.get_one_block(it.kPrefix); });
}

// After the youngest one was popped.
inline Cost cost_of_the_next_duplicate(std::size_t num_blocks) {
  Duplicates it(num_blocks);
  it.map.pop(it.kPrefix, static_cast<BlockId>(num_blocks - 1));
  return cost_of([&] { it.map.insert(it.kPrefix, it.blocks[num_blocks]); });
}

// The oldest block is popped, and the second.
inline Cost cost_of_pop(std::size_t num_blocks) {
  return worst_order([&](Order order) {
    Duplicates it(num_blocks, order);
    const auto pop = [&](std::size_t i) {
      return cost_of([&] { it.map.pop(it.kPrefix, it.block(i).block_id); });
    };
    return worst_of({pop(1), pop(0)});
  });
}

inline Cost cost_of_each_feature(std::size_t num_features) {
  Request request{.request_id = "r", .block_size = num_features, .token_ids = {}};
  for (std::size_t i = 0; i < num_features; ++i)
    request.mm_features.push_back({.identifier = "cat", .offset = i, .num_tokens = 1});
  return share_with_allocations(
      cost_of([&] { generate_block_hash_extra_keys(request, 0, num_features); }), num_features);
}

// Its tokens are all those of the block.
inline Cost cost_of_a_long_feature(std::size_t num_tokens) {
  Request request{.request_id = "r", .block_size = num_tokens, .token_ids = {}};
  request.mm_features.push_back({.identifier = "cat", .offset = 0, .num_tokens = num_tokens});
  return cost_of([&] { generate_block_hash_extra_keys(request, 0, num_tokens); });
}

inline Cost cost_of_caching(std::size_t num_cached) {
  FullCache cache(num_cached);
  return usual_cost([&](std::size_t i) {
    const Request other = prompt_of_blocks(10, -100 * static_cast<TokenId>(i + 1));
    const auto blocks = cache.pool.get_new_blocks(10);
    return cost_of([&] { cache.pool.cache_full_blocks(other, *blocks, 0, 10); });
  });
}

inline Cost cost_of_caching_on(std::size_t num_cached) {
  FullCache cache(num_cached);
  return usual_cost([&](std::size_t i) {
    cache.request.token_ids.push_back(1);
    update_block_hashes(cache.request);
    cache.table.push_back(cache.pool.get_new_blocks(1)->front());
    const std::size_t first = num_cached + i;
    return cost_of(
        [&] { cache.pool.cache_full_blocks(cache.request, cache.table, first, first + 1); });
  });
}

inline Cost cost_of_get_cached_block(std::size_t num_cached) {
  const FullCache cache(num_cached);
  return usual_cost([&](std::size_t i) {
    const PrefixId prefix = cache.table[num_cached - 1 - i]->prefix_id;
    return cost_of([&] { cache.pool.get_cached_block(prefix); });
  });
}

template <auto kFind>
Cost cost_of_hit(std::size_t num_cached) {
  const FullCache cache(num_cached);
  return usual_cost(
      [&](std::size_t) { return cost_of([&] { (cache.pool.*kFind)(cache.request, 10); }); });
}

template <auto kFind>
Cost cost_of_each_hit(std::size_t num_cached) {
  const FullCache cache(num_cached);
  return share_with_allocations(cost_of([&] { (cache.pool.*kFind)(cache.request, num_cached); }),
                                num_cached);
}

// The cost of looking for a prompt of which nothing is cached.
template <auto kFind>
Cost cost_of_a_miss(std::size_t num_blocks) {
  const FullCache cache(100);
  const Request other = prompt_of_blocks(num_blocks, -1'000'000'000);
  return cost_of([&] { (cache.pool.*kFind)(other, num_blocks); });
}

// From the end of the chain, so that nothing else goes with the block.
inline Cost cost_of_evicting(std::size_t num_cached) {
  FullCache cache(num_cached);
  return usual_cost([&](std::size_t i) {
    KVCacheBlock& last = *cache.table[num_cached - 1 - i];
    return cost_of([&] { cache.pool.maybe_evict_cached_block(last); });
  });
}

// One chain is cached, and then blocks that all hold one prefix, the last block of the pool first.
inline Cost cost_of_each_reset(std::size_t num_cached) {
  FullCache cache(num_cached);
  const auto reset = [&] {
    cache.pool.free_blocks(cache.table);
    return share_with_allocations(cost_of([&] { cache.pool.reset_prefix_cache(); }), num_cached);
  };
  const Cost chain = reset();
  cache.pool.touch(cache.table);
  for (std::size_t i = num_cached; i-- > 0;)
    cache.pool.cache_full_blocks(cache.request, std::span(cache.table).subspan(i, 1), 0, 1);
  return worst_of({chain, reset()});
}

inline Cost cost_of_evict_blocks(std::size_t num_cached) {
  FullCache cache(num_cached);
  std::vector<BlockId> ids;
  for (std::size_t i = 1; i <= 10; ++i) ids.push_back(cache.table[num_cached - i]->block_id);
  return cost_of([&] { cache.pool.evict_blocks(ids); });
}

inline Cost cost_of_each_event(std::size_t num_events) {
  FullCache cache(num_events);
  cache.pool.enable_kv_cache_events();
  for (KVCacheBlock* block : cache.table) cache.pool.maybe_evict_cached_block(*block);
  return share_with_allocations(cost_of([&] { cache.pool.take_events(); }), num_events);
}

inline const CostProbe kHashingCost{"update_block_hashes() of one new block",
                                    "blocks hashed before", cost_of_hashing,
                                    Memory::kMayBeAskedFor};
inline const CostProbe kEachFeatureCost{"generate_block_hash_extra_keys(), for each feature,",
                                        "features", cost_of_each_feature, Memory::kMayBeAskedFor,
                                        2'000};
inline const CostProbe kLongFeatureCost{"generate_block_hash_extra_keys() of an image",
                                        "tokens of the image", cost_of_a_long_feature,
                                        Memory::kMayBeAskedFor};
inline const CostProbe kOldestCost{"get_one_block()", "blocks with the prefix", cost_of_the_oldest,
                                   Memory::kMayBeAskedFor};
inline const CostProbe kPopCost{"pop() of the oldest and the second block",
                                "blocks with the prefix", cost_of_pop, Memory::kMayBeAskedFor};
inline const CostProbe kDuplicateCost{"insert() of a duplicate", "blocks with its prefix",
                                      cost_of_a_duplicate, Memory::kMayBeAskedFor};
inline const CostProbe kEachDuplicateCost{"insert(), for each block in any order,",
                                          "blocks with one prefix", cost_of_each_duplicate,
                                          Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEachPrefixInsertedCost{"insert(), for each block in any order,", "prefixes",
                                               cost_of_each_prefix_inserted, Memory::kMayBeAskedFor,
                                               2'000};
inline const CostProbe kNextDuplicateCost{"insert() after pop() of the youngest",
                                          "blocks with its prefix", cost_of_the_next_duplicate,
                                          Memory::kMayBeAskedFor};
inline const CostProbe kCachingCost{"cache_full_blocks() of 10", "blocks cached", cost_of_caching,
                                    Memory::kMayBeAskedFor};
inline const CostProbe kCachingOnCost{"cache_full_blocks() of one more", "blocks cached of it",
                                      cost_of_caching_on, Memory::kMayBeAskedFor};
inline const CostProbe kGetCachedBlockCost{"get_cached_block()", "blocks cached",
                                           cost_of_get_cached_block, Memory::kMayBeAskedFor};
constexpr auto kPlain = &BlockPool::find_longest_cache_hit;
constexpr auto kAhead = &BlockPool::find_longest_cache_hit_ahead;
inline const CostProbe kHitCost{"find_longest_cache_hit() of 10", "blocks cached",
                                cost_of_hit<kPlain>, Memory::kMayBeAskedFor};
inline const CostProbe kEachHitCost{"find_longest_cache_hit(), for each hit,", "hits",
                                    cost_of_each_hit<kPlain>, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kMissCost{"find_longest_cache_hit() of nothing", "blocks in the prompt",
                                 cost_of_a_miss<kPlain>, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kHitAheadCost{"find_longest_cache_hit_ahead() of 10", "blocks cached",
                                     cost_of_hit<kAhead>, Memory::kMayBeAskedFor};
inline const CostProbe kEachHitAheadCost{"find_longest_cache_hit_ahead(), for each hit,", "hits",
                                         cost_of_each_hit<kAhead>, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kMissAheadCost{"find_longest_cache_hit_ahead() of nothing",
                                      "blocks in the prompt", cost_of_a_miss<kAhead>,
                                      Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kResetCost{"reset_prefix_cache(), for each block,", "blocks cached",
                                  cost_of_each_reset, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEvictBlocksCost{"evict_blocks() of 10", "blocks cached",
                                        cost_of_evict_blocks, Memory::kMayBeAskedFor};
inline const CostProbe kEventsCost{"take_events(), for each event,", "events", cost_of_each_event,
                                   Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEvictingCost{"maybe_evict_cached_block()", "blocks cached",
                                     cost_of_evicting, Memory::kMayBeAskedFor};

}  // namespace kv::grader

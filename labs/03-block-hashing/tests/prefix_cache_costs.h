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

// Blocks that hold one prefix, side by side, and one more.
inline Cost cost_of_a_duplicate(std::size_t num_blocks) {
  std::vector<KVCacheBlock> blocks(num_blocks + kNumRepeats);
  BlockHashToBlockMap map;
  for (std::size_t i = 0; i < num_blocks; ++i) map.insert(7, blocks[i]);
  return usual_cost(
      [&](std::size_t i) { return cost_of([&] { map.insert(7, blocks[num_blocks + i]); }); });
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
  return share(cost_of([&] { (cache.pool.*kFind)(cache.request, num_cached); }), num_cached);
}

// Of a prompt of which nothing is cached.
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

inline const CostProbe kHashingCost{"update_block_hashes() of one new block",
                                    "blocks hashed before", cost_of_hashing,
                                    Memory::kMayBeAskedFor};
inline const CostProbe kDuplicateCost{"insert() of a duplicate", "blocks with its prefix",
                                      cost_of_a_duplicate};
inline const CostProbe kCachingCost{"cache_full_blocks() of 10", "blocks cached", cost_of_caching,
                                    Memory::kMayBeAskedFor};
inline const CostProbe kCachingOnCost{"cache_full_blocks() of one more", "blocks cached of it",
                                      cost_of_caching_on, Memory::kMayBeAskedFor};
inline const CostProbe kGetCachedBlockCost{"get_cached_block()", "blocks cached",
                                           cost_of_get_cached_block};
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
inline const CostProbe kEvictingCost{"maybe_evict_cached_block()", "blocks cached",
                                     cost_of_evicting, Memory::kMayBeAskedFor};

}  // namespace kv::grader

#include <algorithm>
#include <utility>

#include "02-block-pool/block_pool.h"
#include "03-block-hashing/given/can_be_sealed.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

void BlockPool::cache_full_blocks(const Request& request,
                                  std::span<KVCacheBlock* const> blocks,
                                  std::size_t num_cached_blocks,
                                  std::size_t num_full_blocks) {
  if (num_cached_blocks >= num_full_blocks) return;

  KV_REQUIRE("caching is on, and blocks of the request are blocks of the pool",
             enable_caching_ && request.block_size == block_size_);
  KV_REQUIRE("I3: only full blocks that the request has hashed are cached",
             num_full_blocks <= std::min(blocks.size(), request.block_hashes.size()));
  const auto new_blocks = blocks.subspan(num_cached_blocks, num_full_blocks - num_cached_blocks);
  KV_REQUIRE("cache_full_blocks takes blocks of this pool",
             std::ranges::all_of(new_blocks, [this](auto* block) { return owns(*block); }));
  KV_REQUIRE("a block is cached once", can_be_sealed(new_blocks));

  KV_TODO("3.11 cache_full_blocks");
}

KVCacheBlock* BlockPool::get_cached_block(PrefixId prefix) const {
  KV_TODO("3.12 get_cached_block");
}

std::vector<KVCacheBlock*> BlockPool::find_longest_cache_hit(const Request& request,
                                                             std::size_t max_num_tokens) const {
  KV_TODO("3.13 find_longest_cache_hit");
}

bool BlockPool::maybe_evict_cached_block(KVCacheBlock& block) {
  KV_TODO("3.14 maybe_evict_cached_block");
}

bool BlockPool::reset_prefix_cache() {
  KV_TODO("3.15 reset_prefix_cache");
}

void BlockPool::evict_blocks(std::span<const BlockId> block_ids) {
  KV_REQUIRE("I2: evict_blocks takes ids of this pool",
             std::ranges::all_of(block_ids, [this](BlockId id) {
               return static_cast<std::size_t>(id) < blocks_.size();  // below 0: a huge one
             }));
  KV_TODO("3.17 evict_blocks");
}

std::vector<KVCacheEvent> BlockPool::take_events() {
  KV_TODO("3.18 take_events");
}

// Given.
std::optional<PrefixId> BlockPool::prefix_before(const Request& request,
                                                 std::span<KVCacheBlock* const> blocks,
                                                 std::size_t num_blocks,
                                                 std::vector<PrefixId>& borrowed) {
  if (num_blocks == 0) return std::nullopt;
  const KVCacheBlock& last = *blocks[num_blocks - 1];
  if (owns(last) && last.block_hash) return last.prefix_id;

  std::optional<PrefixId> prefix;
  for (std::size_t i = 0; i < num_blocks; ++i) {
    prefix = prefix_table_.intern(request.block_hashes[i], content_of(request, i, prefix));
    borrowed.push_back(*prefix);
  }
  return prefix;
}

}  // namespace kv

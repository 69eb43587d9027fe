#include <algorithm>
#include <iterator>
#include <utility>

#include "02-block-pool/block_pool.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {
namespace {

// The event of a cache_full_blocks call that sealed blocks[first, last).
BlockStored stored_event(const Request& request,
                         std::span<KVCacheBlock* const> blocks,
                         std::size_t first,
                         std::size_t last) {
  BlockStored event{.block_hashes = {},
                    .parent_block_hash = {},
                    .token_ids = {},
                    .block_size = request.block_size,
                    .lora_name = request.lora_name};
  if (first > 0) event.parent_block_hash = request.block_hashes[first - 1];
  for (std::size_t i = first; i < last; ++i) {
    if (!blocks[i]->is_null) event.block_hashes.push_back(request.block_hashes[i]);
    std::ranges::copy(request.block_token_ids(i), std::back_inserter(event.token_ids));
  }
  return event;
}

}  // namespace

std::optional<PrefixId> BlockPool::prefix_before(const Request& request,
                                                 std::span<KVCacheBlock* const> blocks,
                                                 std::size_t num_blocks,
                                                 std::vector<PrefixId>& borrowed) {
  if (num_blocks == 0) return std::nullopt;
  const KVCacheBlock& last = *blocks[num_blocks - 1];
  if (last.block_hash) return last.prefix_id;
  std::optional<PrefixId> prefix;
  for (std::size_t i = 0; i < num_blocks; ++i) {
    prefix = prefix_table_.intern(block_of(request, i, prefix));
    borrowed.push_back(*prefix);
  }
  return prefix;
}

void BlockPool::cache_full_blocks(const Request& request,
                                  std::span<KVCacheBlock* const> blocks,
                                  std::size_t num_cached_blocks,
                                  std::size_t num_full_blocks) {
  if (num_cached_blocks >= num_full_blocks) return;
  KV_REQUIRE("I3: only full blocks that the request has hashed are cached",
             num_full_blocks <= std::min(blocks.size(), request.block_hashes.size()));
  const std::size_t num_new = num_full_blocks - num_cached_blocks;
  const auto new_blocks = blocks.subspan(num_cached_blocks, num_new);
  KV_REQUIRE("a block is cached once", std::ranges::none_of(new_blocks, [](auto* block) {
               return block->block_hash.has_value();
             }));
  KV_TODO("3.10 cache_full_blocks");
}

KVCacheBlock* BlockPool::get_cached_block(PrefixId prefix) const {
  KV_TODO("3.11 get_cached_block");
}

std::vector<KVCacheBlock*> BlockPool::find_longest_cache_hit(const Request& request,
                                                             std::size_t max_num_tokens) const {
  KV_TODO("3.12 find_longest_cache_hit");
}

bool BlockPool::maybe_evict_cached_block(KVCacheBlock& block) {
  KV_TODO("3.13 maybe_evict_cached_block");
}

bool BlockPool::reset_prefix_cache() {
  KV_TODO("3.14 reset_prefix_cache");
}

void BlockPool::evict_blocks(std::span<const BlockId> block_ids) {
  KV_REQUIRE("I2: evict_blocks takes ids of this pool",
             std::ranges::all_of(block_ids, [this](BlockId id) {
               return static_cast<std::size_t>(id) < blocks_.size();  // below 0: a huge one
             }));
  KV_TODO("3.15 evict_blocks");
}

std::vector<KVCacheEvent> BlockPool::take_events() {
  KV_TODO("3.16 take_events");
}

}  // namespace kv

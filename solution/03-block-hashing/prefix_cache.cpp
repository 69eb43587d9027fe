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

  std::vector<PrefixId> borrowed;
  auto prefix = prefix_before(request, blocks, num_cached_blocks, borrowed);
  for (std::size_t i = num_cached_blocks; i < num_full_blocks; ++i) {
    prefix = prefix_table_.intern(request.block_hashes[i], content_of(request, i, prefix));
    KVCacheBlock& block = *blocks[i];
    if (block.is_null) {
      borrowed.push_back(*prefix);
      continue;
    }

    block.block_hash = request.block_hashes[i];
    block.prefix_id = *prefix;
    cached_blocks_.insert(*prefix, block);
  }
  for (const PrefixId id : borrowed) prefix_table_.release(id);

  if (!events_enabled_) return;
  kv_event_queue_.emplace_back(stored_event(request, blocks, num_cached_blocks, num_full_blocks));
}

KVCacheBlock* BlockPool::get_cached_block(PrefixId prefix) const {
  return cached_blocks_.get_one_block(prefix);
}

std::vector<KVCacheBlock*> BlockPool::find_longest_cache_hit(const Request& request,
                                                             std::size_t max_num_tokens) const {
  const std::size_t max_num_blocks =
      std::min(max_num_tokens / block_size_, request.block_hashes.size());

  std::vector<KVCacheBlock*> hits;
  std::optional<PrefixId> prefix;
  for (std::size_t i = 0; i < max_num_blocks; ++i) {
    prefix = prefix_table_.find(request.block_hashes[i], content_of(request, i, prefix));
    if (!prefix) break;

    KVCacheBlock* block = get_cached_block(*prefix);
    if (block == nullptr) break;
    hits.push_back(block);
  }
  return hits;
}

bool BlockPool::maybe_evict_cached_block(KVCacheBlock& block) {
  if (!block.block_hash) return false;

  cached_blocks_.pop(block.prefix_id, block.block_id);
  prefix_table_.release(block.prefix_id);
  if (events_enabled_) kv_event_queue_.emplace_back(BlockRemoved{*block.block_hash});
  block.block_hash.reset();
  return true;
}

bool BlockPool::reset_prefix_cache() {
  if (get_num_free_blocks() != blocks_.size() - 1) return false;

  for (KVCacheBlock& block : blocks_) {
    if (!block.block_hash) continue;
    prefix_table_.release(block.prefix_id);
    block.block_hash.reset();
  }

  cached_blocks_.clear();
  if (events_enabled_) kv_event_queue_.emplace_back(AllBlocksCleared{});
  return true;
}

void BlockPool::evict_blocks(std::span<const BlockId> block_ids) {
  KV_REQUIRE("I2: evict_blocks takes ids of this pool",
             std::ranges::all_of(block_ids, [this](BlockId id) {
               return static_cast<std::size_t>(id) < blocks_.size();  // below 0: a huge one
             }));
  for (const BlockId id : block_ids)
    maybe_evict_cached_block(blocks_[static_cast<std::size_t>(id)]);
}

std::vector<KVCacheEvent> BlockPool::take_events() {
  return std::exchange(kv_event_queue_, {});
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

// Another order of independent statements: first the chain, then the blocks, last one first.
#include <algorithm>
#include <utility>

#include "02-block-pool/block_pool.h"
#include "03-block-hashing/given/can_be_sealed.h"
#include "kv/require.h"

namespace kv {

void BlockPool::cache_full_blocks(const Request& request,
                                  std::span<KVCacheBlock* const> blocks,
                                  std::size_t num_cached_blocks,
                                  std::size_t num_full_blocks) {
  if (num_cached_blocks >= num_full_blocks) return;
  KV_REQUIRE("I3: only full blocks that the request has hashed are cached",
             enable_caching_ && request.block_size == block_size_ &&
                 num_full_blocks <= std::min(blocks.size(), request.block_hashes.size()));
  const auto new_blocks = blocks.subspan(num_cached_blocks, num_full_blocks - num_cached_blocks);
  const auto is_ours = [this](auto* block) { return owns(*block); };
  KV_REQUIRE("a block of the pool is cached once",
             std::ranges::all_of(new_blocks, is_ours) && can_be_sealed(new_blocks));
  std::vector<PrefixId> borrowed, prefixes;
  auto parent = prefix_before(request, blocks, num_cached_blocks, borrowed);
  for (std::size_t i = num_cached_blocks; i < num_full_blocks; ++i) {
    parent = prefix_table_.intern(request.block_hashes[i], content_of(request, i, parent));
    prefixes.push_back(*parent);
  }
  for (std::size_t i = new_blocks.size(); i-- > 0;) {
    KVCacheBlock& block = *new_blocks[i];
    if (block.is_null) borrowed.push_back(prefixes[i]);
    if (block.is_null) continue;
    cached_blocks_.insert(prefixes[i], block);
    block.prefix_id = prefixes[i];
    block.block_hash = request.block_hashes[num_cached_blocks + i];
  }
  for (const PrefixId prefix : borrowed) prefix_table_.release(prefix);
  if (!events_enabled_) return;
  kv_event_queue_.emplace_back(stored_event(request, blocks, num_cached_blocks, num_full_blocks));
}

KVCacheBlock* BlockPool::get_cached_block(PrefixId prefix) const {
  return cached_blocks_.get_one_block(prefix);
}

std::vector<KVCacheBlock*> BlockPool::find_longest_cache_hit(const Request& request,
                                                             std::size_t max_num_tokens) const {
  std::vector<KVCacheBlock*> hits;
  std::optional<PrefixId> prefix;
  for (std::size_t i = 0; i < request.block_hashes.size(); ++i) {
    if ((i + 1) * block_size_ > max_num_tokens) break;
    prefix = prefix_table_.find(request.block_hashes[i], content_of(request, i, prefix));
    if (!prefix) break;
    KVCacheBlock* block = cached_blocks_.get_one_block(*prefix);
    if (block == nullptr) break;
    hits.push_back(block);
  }
  return hits;
}

bool BlockPool::maybe_evict_cached_block(KVCacheBlock& block) {
  const std::optional<BlockHash> hash = std::exchange(block.block_hash, std::nullopt);
  if (!hash) return false;
  if (events_enabled_) kv_event_queue_.emplace_back(BlockRemoved{*hash});
  cached_blocks_.pop(block.prefix_id, block.block_id);
  prefix_table_.release(block.prefix_id);
  return true;
}

bool BlockPool::reset_prefix_cache() {
  if (get_num_free_blocks() != blocks_.size() - 1) return false;
  cached_blocks_.clear();
  for (KVCacheBlock& block : blocks_) {
    if (!block.block_hash) continue;
    block.block_hash.reset();
    prefix_table_.release(block.prefix_id);
  }
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

std::optional<PrefixId> BlockPool::prefix_before(const Request& request,
                                                 std::span<KVCacheBlock* const> blocks,
                                                 std::size_t num_blocks,
                                                 std::vector<PrefixId>& borrowed) {
  if (num_blocks == 0) return std::nullopt;
  const KVCacheBlock& last = *blocks[num_blocks - 1];
  if (last.block_hash) return last.prefix_id;
  std::optional<PrefixId> prefix;
  for (std::size_t i = 0; i < num_blocks; ++i) {
    prefix = prefix_table_.intern(request.block_hashes[i], content_of(request, i, prefix));
    borrowed.push_back(*prefix);
  }
  return prefix;
}

}  // namespace kv

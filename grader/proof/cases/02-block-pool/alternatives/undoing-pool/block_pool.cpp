#include "02-block-pool/block_pool.h"

#include <algorithm>
#include <functional>

#include "kv/require.h"

namespace kv {
namespace {

std::vector<KVCacheBlock> make_blocks(std::size_t num_gpu_blocks) {
  KV_REQUIRE("I8: a pool has at least one block, the null block", num_gpu_blocks > 0);
  std::vector<KVCacheBlock> blocks(num_gpu_blocks);
  for (std::size_t i = 0; i < num_gpu_blocks; ++i) blocks[i].block_id = static_cast<BlockId>(i);
  blocks.front().is_null = true;
  return blocks;
}

}  // namespace

BlockPool::BlockPool(std::size_t num_gpu_blocks,
                     std::size_t block_size,
                     bool enable_caching,
                     EvictionOrder eviction_order)
    : block_size_(block_size),
      enable_caching_(enable_caching),
      eviction_order_(eviction_order),
      blocks_(make_blocks(num_gpu_blocks)),
      free_block_queue_(std::span(blocks_).subspan(1)) {
  KV_REQUIRE("a block holds at least one token", block_size > 0);
}

bool BlockPool::owns(const KVCacheBlock& block) const {
  const std::less<const KVCacheBlock*> before;  // Why: < is unspecified between two arrays
  return !before(&block, blocks_.data()) && before(&block, blocks_.data() + blocks_.size());
}

bool BlockPool::is_held(const KVCacheBlock& block) const {
  return owns(block) && (block.is_null || block.ref_cnt > 0);
}

std::size_t BlockPool::get_num_free_blocks() const {
  return free_block_queue_.num_free_blocks();
}

// Takes the blocks one by one.
std::optional<std::vector<KVCacheBlock*>> BlockPool::get_new_blocks(std::size_t num_blocks) {
  if (get_num_free_blocks() < num_blocks) return std::nullopt;
  std::vector<KVCacheBlock*> blocks(num_blocks);
  for (KVCacheBlock*& block : blocks) {
    block = free_block_queue_.popleft();
    if (block->block_hash) maybe_evict_cached_block(*block);
    ++block->ref_cnt;
  }
  return blocks;
}

void BlockPool::touch(std::span<KVCacheBlock* const> blocks) {
  for (KVCacheBlock* block : blocks) KV_REQUIRE("touch takes blocks of this pool", owns(*block));
  for (KVCacheBlock* block : blocks) {
    const bool was_free = !block->is_null && block->ref_cnt == 0;
    block->ref_cnt += block->is_null ? 0 : 1;
    if (was_free) free_block_queue_.remove(*block);
  }
}

// A refused call undoes what it did, last block first.
void BlockPool::free_blocks(std::span<KVCacheBlock* const> ordered_blocks) {
  if (eviction_order_ == EvictionOrder::kUnhashedFirst) return free_unhashed_first(ordered_blocks);
  std::size_t i = 0;
  while (i < ordered_blocks.size() && is_held(*ordered_blocks[i])) {
    KVCacheBlock& block = *ordered_blocks[i++];
    if (!block.is_null && --block.ref_cnt == 0) free_block_queue_.append(block);
  }
  if (i == ordered_blocks.size()) return;
  while (i-- > 0) {
    KVCacheBlock& block = *ordered_blocks[i];
    if (!block.is_null && block.ref_cnt++ == 0) free_block_queue_.remove(block);
  }
  throw ContractViolation("I1: free_blocks takes blocks of this pool that have a user");
}

double BlockPool::get_usage() const {
  const std::size_t num_usable_blocks = blocks_.size() - 1;
  const std::size_t num_used_blocks = num_usable_blocks - get_num_free_blocks();
  return static_cast<double>(num_used_blocks) /
         static_cast<double>(std::max<std::size_t>(num_usable_blocks, 1));
}

}  // namespace kv

#include "02-block-pool/block_pool.h"

#include <algorithm>

#include "kv/require.h"
#include "kv/todo.h"

namespace kv {
namespace {

std::vector<KVCacheBlock> make_blocks(std::size_t num_gpu_blocks) {
  KV_REQUIRE("I8: a pool has at least one block, the null block", num_gpu_blocks > 0);
  std::vector<KVCacheBlock> blocks(num_gpu_blocks);
  BlockId id = 0;
  for (KVCacheBlock& block : blocks) block.block_id = id++;
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
  return &block >= blocks_.data() && &block < blocks_.data() + blocks_.size();
}

bool BlockPool::is_held(const KVCacheBlock& block) const {
  return owns(block) && (block.is_null || block.ref_cnt > 0);
}

std::size_t BlockPool::get_num_free_blocks() const {
  return free_block_queue_.num_free_blocks();
}

std::optional<std::vector<KVCacheBlock*>> BlockPool::get_new_blocks(std::size_t num_blocks) {
  if (num_blocks > free_block_queue_.num_free_blocks()) return std::nullopt;
  std::vector<KVCacheBlock*> blocks;
  while (blocks.size() < num_blocks) {
    KVCacheBlock* block = free_block_queue_.popleft();
    ++block->ref_cnt;
    if (block->block_hash) maybe_evict_cached_block(*block);
    blocks.push_back(block);
  }
  return blocks;
}

void BlockPool::touch(std::span<KVCacheBlock* const> blocks) {
  KV_REQUIRE("touch takes blocks of this pool",
             std::ranges::all_of(blocks, [this](auto* block) { return owns(*block); }));
  for (KVCacheBlock* block : blocks) {
    if (!block->is_null && block->ref_cnt++ == 0) free_block_queue_.remove(*block);
  }
}

// Counts all down for a trial, even below zero, and up again; then frees if no count was below.
void BlockPool::free_blocks(std::span<KVCacheBlock* const> ordered_blocks) {
  KV_REQUIRE("I1: free_blocks takes blocks of this pool that have a user",
             std::ranges::all_of(ordered_blocks, [this](auto* block) { return is_held(*block); }));
  if (eviction_order_ == EvictionOrder::kUnhashedFirst) return free_unhashed_first(ordered_blocks);
  bool is_right = true;
  for (KVCacheBlock* block : ordered_blocks) {
    if (!block->is_null && --block->ref_cnt < 0) is_right = false;
  }
  for (KVCacheBlock* block : ordered_blocks) {
    if (!block->is_null) ++block->ref_cnt;
  }
  KV_REQUIRE("I1: a block is listed as often as it is held at the most", is_right);
  for (KVCacheBlock* block : ordered_blocks) {
    if (!block->is_null && --block->ref_cnt == 0) free_block_queue_.append(*block);
  }
}

double BlockPool::get_usage() const {
  const double num_usable_blocks = static_cast<double>(blocks_.size()) - 1;
  if (num_usable_blocks < 1) return 0;
  return (num_usable_blocks - static_cast<double>(get_num_free_blocks())) / num_usable_blocks;
}

}  // namespace kv

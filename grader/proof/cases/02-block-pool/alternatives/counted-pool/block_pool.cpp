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
  return blocks_.size() - 1 - num_used_blocks_;
}

std::optional<std::vector<KVCacheBlock*>> BlockPool::get_new_blocks(std::size_t num_blocks) {
  auto blocks = free_block_queue_.popleft_n(num_blocks);
  if (!blocks) return blocks;
  num_used_blocks_ += num_blocks;
  for (KVCacheBlock* block : *blocks) block->ref_cnt = 1;
  for (KVCacheBlock* block : *blocks) maybe_evict_cached_block(*block);
  return blocks;
}

void BlockPool::touch(std::span<KVCacheBlock* const> blocks) {
  KV_REQUIRE("touch takes blocks of this pool",
             std::ranges::all_of(blocks, [this](auto* block) { return owns(*block); }));
  for (KVCacheBlock* block : blocks) {
    if (block->is_null) continue;
    ++block->ref_cnt;
    if (block->ref_cnt > 1) continue;
    free_block_queue_.remove(*block);
    ++num_used_blocks_;
  }
}

void BlockPool::free_blocks(std::span<KVCacheBlock* const> ordered_blocks) {
  if (eviction_order_ == EvictionOrder::kUnhashedFirst) return free_unhashed_first(ordered_blocks);
  std::size_t num_done = 0;
  for (KVCacheBlock* block : ordered_blocks) {
    if (!is_held(*block)) break;
    ++num_done;
    if (block->is_null || --block->ref_cnt > 0) continue;
    free_block_queue_.append(*block);
    --num_used_blocks_;
  }
  if (num_done == ordered_blocks.size()) return;
  while (num_done > 0) touch(ordered_blocks.subspan(--num_done, 1));
  throw ContractViolation("I1: free_blocks takes blocks of this pool that have a user");
}

double BlockPool::get_usage() const {
  if (blocks_.size() == 1) return 0;
  return static_cast<double>(num_used_blocks_) / static_cast<double>(blocks_.size() - 1);
}

}  // namespace kv

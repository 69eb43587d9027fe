#include "02-block-pool/block_pool.h"

#include <algorithm>
#include <functional>
#include <utility>

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
      free_block_queue_(std::span(blocks_).subspan(1)),
      is_free_(num_gpu_blocks, 1) {
  is_free_.front() = 0;
  KV_REQUIRE("a block holds at least one token", block_size > 0);
}

bool BlockPool::owns(const KVCacheBlock& block) const {
  const std::less<const KVCacheBlock*> before;  // Why: < is unspecified between two arrays
  return !before(&block, blocks_.data()) && before(&block, blocks_.data() + blocks_.size());
}

bool BlockPool::is_held(const KVCacheBlock& block) const {
  return owns(block) && is_free_[static_cast<std::size_t>(block.block_id)] == 0;
}

std::size_t BlockPool::get_num_free_blocks() const {
  return free_block_queue_.num_free_blocks();
}

std::optional<std::vector<KVCacheBlock*>> BlockPool::get_new_blocks(std::size_t num_blocks) {
  auto blocks = free_block_queue_.popleft_n(num_blocks);
  if (!blocks) return std::nullopt;
  for (KVCacheBlock* block : *blocks) free_flag(*block) = 0;
  for (KVCacheBlock* block : *blocks) block->ref_cnt = 1;
  for (KVCacheBlock* block : *blocks) {
    if (block->block_hash) maybe_evict_cached_block(*block);
  }
  return blocks;
}

void BlockPool::touch(std::span<KVCacheBlock* const> blocks) {
  const auto is_ours = [this](auto* block) { return owns(*block); };
  KV_REQUIRE("touch takes blocks of this pool", std::ranges::all_of(blocks, is_ours));
  for (KVCacheBlock* block : blocks) {
    if (block->is_null) continue;
    if (std::exchange(free_flag(*block), 0) != 0) free_block_queue_.remove(*block);
    ++block->ref_cnt;
  }
}

void BlockPool::free_blocks(std::span<KVCacheBlock* const> ordered_blocks) {
  if (eviction_order_ == EvictionOrder::kUnhashedFirst) return free_unhashed_first(ordered_blocks);
  for (std::size_t i = 0; i < ordered_blocks.size(); ++i) {
    KVCacheBlock& block = *ordered_blocks[i];
    if (!is_held(block)) {
      touch(ordered_blocks.first(i));
      throw ContractViolation("I1: free_blocks takes blocks of this pool that have a user");
    }
    if (block.is_null || --block.ref_cnt > 0) continue;
    free_flag(block) = 1;
    free_block_queue_.append(block);
  }
}

double BlockPool::get_usage() const {
  if (blocks_.size() == 1) return 0;
  const double num_usable_blocks = static_cast<double>(blocks_.size() - 1);
  return 1 - static_cast<double>(get_num_free_blocks()) / num_usable_blocks;
}

}  // namespace kv

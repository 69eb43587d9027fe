#include "04-kv-cache-manager/block_manager.h"

#include <algorithm>
#include <utility>

#include "03-block-hashing/given/look_ahead.h"
#include "04-kv-cache-manager/given/allocation_checks.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {
namespace {

std::vector<KVCacheBlock> make_blocks(std::size_t num_blocks) {
  KV_REQUIRE("a manager has at least one block", num_blocks > 0);
  std::vector<KVCacheBlock> blocks(num_blocks);
  BlockId id = 0;
  for (KVCacheBlock& block : blocks) block.block_id = id++;
  return blocks;
}

}  // namespace

BlockManager::BlockManager(std::size_t num_blocks, std::size_t block_size)
    : block_size_(block_size),
      blocks_(make_blocks(num_blocks)),
      free_blocks_(blocks_),
      prefix_table_(block_size) {
  KV_REQUIRE("a block holds at least one token", block_size > 0);
}

KVCacheBlock* BlockManager::allocate_block() {
  KV_TODO("4.13 allocate_block");
}

bool BlockManager::can_append(const Sequence& sequence) const {
  KV_TODO("4.14 can_append");
}

bool BlockManager::may_append(Sequence& sequence) {
  KV_TODO("4.15 may_append");
}

void BlockManager::deallocate(Sequence& sequence) {
  KV_TODO("4.16 deallocate");
}

void BlockManager::hash_blocks(const Sequence& sequence, std::size_t num_scheduled_tokens) {
  const Request& request = sequence.request;
  const auto& table = sequence.block_table;
  require_hashed(request, block_size_);
  require_slots(request, num_scheduled_tokens, table.size() * block_size_);
  const std::size_t start = request.num_computed_tokens / block_size_;
  const std::size_t end = (request.num_computed_tokens + num_scheduled_tokens) / block_size_;
  require_cacheable(table, start, end);
  LookAhead::prefetch(prefix_table_, request.block_hashes, start, end);

  KV_TODO("4.17 hash_blocks");
}

std::vector<KVCacheBlock*> BlockManager::get_cached_blocks(const Request& request) const {
  require_hashed(request, block_size_);

  KV_TODO("4.18 get_cached_blocks");
}

std::optional<std::size_t> BlockManager::can_allocate(const Sequence& sequence) const {
  const auto hits = get_cached_blocks(sequence.request);
  if (!has_room(sequence, hits)) return std::nullopt;
  return hits.size();
}

bool BlockManager::has_room(const Sequence& sequence, std::span<KVCacheBlock* const> hits) const {
  KV_TODO("4.19 has_room");
}

bool BlockManager::allocate(Sequence& sequence, std::size_t num_cached_blocks) {
  auto hits = get_cached_blocks(sequence.request);
  KV_REQUIRE("a sequence without blocks gets those that are found now",
             sequence.block_table.empty() && num_cached_blocks == hits.size());

  KV_TODO("4.20 allocate");
}

}  // namespace kv

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
  KVCacheBlock* block = free_blocks_.popleft();
  if (block == nullptr) return nullptr;
  block->ref_cnt = 1;
  if (!block->block_hash) return block;

  cached_blocks_.pop(block->prefix_id, block->block_id);
  prefix_table_.release(block->prefix_id);
  block->block_hash.reset();
  return block;
}

bool BlockManager::can_append(const Sequence& sequence) const {
  const std::size_t num_blocks = blocks_for(sequence.request.token_ids.size(), block_size_);
  return num_blocks <= sequence.block_table.size() + free_blocks_.num_free_blocks();
}

bool BlockManager::may_append(Sequence& sequence) {
  if (!can_append(sequence)) return false;

  const std::size_t num_blocks = blocks_for(sequence.request.token_ids.size(), block_size_);
  while (sequence.block_table.size() < num_blocks) sequence.block_table.push_back(allocate_block());
  return true;
}

void BlockManager::deallocate(Sequence& sequence) {
  for (std::size_t i = sequence.block_table.size(); i-- > 0;) {
    KVCacheBlock* block = sequence.block_table[i];
    --block->ref_cnt;
    if (block->ref_cnt == 0) free_blocks_.append(*block);
  }

  sequence.block_table.clear();
  sequence.request.num_computed_tokens = 0;
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

  std::optional<PrefixId> prefix;
  if (start > 0) prefix = table[start - 1]->prefix_id;

  for (std::size_t i = start; i < end; ++i) {
    KVCacheBlock& block = *table[i];
    prefix = prefix_table_.intern(request.block_hashes[i], content_of(request, i, prefix));
    block.block_hash = request.block_hashes[i];
    block.prefix_id = *prefix;
    cached_blocks_.insert(*prefix, block);
  }
}

std::vector<KVCacheBlock*> BlockManager::get_cached_blocks(const Request& request) const {
  require_hashed(request, block_size_);

  std::vector<KVCacheBlock*> hits;
  std::optional<PrefixId> prefix;
  for (std::size_t i = 0; (i + 1) * block_size_ < request.token_ids.size(); ++i) {
    prefix = prefix_table_.find(request.block_hashes[i], content_of(request, i, prefix));
    KVCacheBlock* block = prefix ? cached_blocks_.get_one_block(*prefix) : nullptr;
    if (block == nullptr) break;
    hits.push_back(block);
  }
  return hits;
}

std::optional<std::size_t> BlockManager::can_allocate(const Sequence& sequence) const {
  const auto hits = get_cached_blocks(sequence.request);
  if (!has_room(sequence, hits)) return std::nullopt;
  return hits.size();
}

bool BlockManager::has_room(const Sequence& sequence, std::span<KVCacheBlock* const> hits) const {
  const auto num_used =
      std::ranges::count_if(hits, [](const KVCacheBlock* hit) { return hit->ref_cnt > 0; });
  const std::size_t num_needed = blocks_for(sequence.request.token_ids.size(), block_size_) -
                                 static_cast<std::size_t>(num_used);
  return num_needed <= free_blocks_.num_free_blocks();
}

bool BlockManager::allocate(Sequence& sequence, std::size_t num_cached_blocks) {
  auto hits = get_cached_blocks(sequence.request);
  KV_REQUIRE("a sequence without blocks gets those that are found now",
             sequence.block_table.empty() && num_cached_blocks == hits.size());

  if (!has_room(sequence, hits)) return false;

  for (KVCacheBlock* hit : hits) {
    if (hit->ref_cnt == 0) free_blocks_.remove(*hit);
    ++hit->ref_cnt;
  }

  sequence.block_table = std::move(hits);
  sequence.request.num_computed_tokens = num_cached_blocks * block_size_;
  return may_append(sequence);
}

}  // namespace kv

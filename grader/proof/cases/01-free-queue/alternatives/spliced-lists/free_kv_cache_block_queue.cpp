#include "01-free-queue/free_kv_cache_block_queue.h"

#include <iterator>

#include "kv/require.h"

namespace kv {

FreeKVCacheBlockQueue::FreeKVCacheBlockQueue(std::span<KVCacheBlock> blocks)
    : num_free_blocks_(blocks.size()) {
  for (KVCacheBlock& block : blocks) {
    places_[&block] = {free_.insert(free_.end(), &block), true};
  }
}

std::vector<KVCacheBlock*> FreeKVCacheBlockQueue::get_all_free_blocks() const {
  return {free_.begin(), free_.end()};
}

void FreeKVCacheBlockQueue::remove(KVCacheBlock& block) {
  Place& place = place_of(block);
  KV_REQUIRE("remove takes a block that is in the queue", place.is_free);
  outside_.splice(outside_.end(), free_, place.node);
  place.is_free = false;
  --num_free_blocks_;
}

KVCacheBlock* FreeKVCacheBlockQueue::popleft() {
  if (free_.empty()) return nullptr;
  KVCacheBlock* block = free_.front();
  remove(*block);
  return block;
}

void FreeKVCacheBlockQueue::append(KVCacheBlock& block) {
  Place& place = place_of(block);
  KV_REQUIRE("append takes a block outside the queue", !place.is_free);
  free_.splice(free_.end(), outside_, place.node);
  place.is_free = true;
  ++num_free_blocks_;
}

std::optional<std::vector<KVCacheBlock*>> FreeKVCacheBlockQueue::popleft_n(std::size_t num_blocks) {
  if (num_blocks > free_.size()) return std::nullopt;
  std::vector<KVCacheBlock*> blocks;
  for (std::size_t i = 0; i < num_blocks; ++i) blocks.push_back(popleft());
  return blocks;
}

void FreeKVCacheBlockQueue::append_n(std::span<KVCacheBlock* const> blocks) {
  std::size_t num_appended = 0;
  try {
    while (num_appended < blocks.size()) append(*blocks[num_appended++]);
  } catch (const ContractViolation&) {
    --num_appended;  // the one that was refused
    while (num_appended > 0) remove(*blocks[--num_appended]);
    throw;
  }
}

void FreeKVCacheBlockQueue::prepend_n(std::span<KVCacheBlock* const> blocks) {
  append_n(blocks);
  const auto first = std::prev(free_.end(), static_cast<std::ptrdiff_t>(blocks.size()));
  free_.splice(free_.begin(), free_, first, free_.end());
}

}  // namespace kv

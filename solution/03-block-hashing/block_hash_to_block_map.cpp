#include "03-block-hashing/block_hash_to_block_map.h"

#include <utility>

#include "kv/todo.h"

namespace kv {

void BlockHashToBlockMap::insert(PrefixId prefix, KVCacheBlock& block) {
  KVCacheBlock** end = &oldest_[prefix];
  while (*end != nullptr) end = &(*end)->next_same_prefix;
  *end = &block;
  block.next_same_prefix = nullptr;
}

KVCacheBlock* BlockHashToBlockMap::get_one_block(PrefixId prefix) const {
  const auto found = oldest_.find(prefix);
  return found == oldest_.end() ? nullptr : found->second;
}

KVCacheBlock* BlockHashToBlockMap::pop(PrefixId prefix, BlockId block_id) {
  const auto found = oldest_.find(prefix);
  if (found == oldest_.end()) return nullptr;
  KVCacheBlock** place = &found->second;
  while (*place != nullptr && (*place)->block_id != block_id) place = &(*place)->next_same_prefix;
  KVCacheBlock* block = *place;
  if (block == nullptr) return nullptr;
  *place = std::exchange(block->next_same_prefix, nullptr);
  if (found->second == nullptr) oldest_.erase(found);
  return block;
}

}  // namespace kv

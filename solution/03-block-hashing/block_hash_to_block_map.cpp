#include "03-block-hashing/block_hash_to_block_map.h"

#include <utility>

#include "kv/todo.h"

namespace kv {

void BlockHashToBlockMap::insert(PrefixId prefix, KVCacheBlock& block) {
  block.next_same_prefix = nullptr;
  const Entry* entry = find(prefix);
  if (entry == nullptr) return entries_.add({prefix, &block});
  KVCacheBlock* youngest = entry->oldest;
  while (youngest->next_same_prefix != nullptr) youngest = youngest->next_same_prefix;
  youngest->next_same_prefix = &block;
}

KVCacheBlock* BlockHashToBlockMap::get_one_block(PrefixId prefix) const {
  const Entry* entry = find(prefix);
  return entry == nullptr ? nullptr : entry->oldest;
}

KVCacheBlock* BlockHashToBlockMap::pop(PrefixId prefix, BlockId block_id) {
  Entry* entry = find(prefix);
  if (entry == nullptr) return nullptr;
  KVCacheBlock** place = &entry->oldest;
  while (*place != nullptr && (*place)->block_id != block_id) place = &(*place)->next_same_prefix;
  KVCacheBlock* block = *place;
  if (block == nullptr) return nullptr;
  *place = std::exchange(block->next_same_prefix, nullptr);
  if (entry->oldest == nullptr) entries_.erase(entry);
  return block;
}

}  // namespace kv

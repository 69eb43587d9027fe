#include "03-block-hashing/block_hash_to_block_map.h"

#include <utility>

#include "kv/todo.h"

namespace kv {

void BlockHashToBlockMap::insert(PrefixId prefix, KVCacheBlock& block) {
  block.next_same_prefix = nullptr;
  const auto [oldest, is_first] = oldest_.insert({prefix, &block});
  if (is_first) return;

  const auto youngest = youngest_.insert({prefix, oldest->second}).first;
  youngest->second->next_same_prefix = &block;
  youngest->second = &block;
}

KVCacheBlock* BlockHashToBlockMap::get_one_block(PrefixId prefix) const {
  const auto oldest = oldest_.find(prefix);
  return oldest == oldest_.end() ? nullptr : oldest->second;
}

KVCacheBlock* BlockHashToBlockMap::pop(PrefixId prefix, BlockId block_id) {
  const auto oldest = oldest_.find(prefix);
  if (oldest == oldest_.end()) return nullptr;

  KVCacheBlock* older = nullptr;
  KVCacheBlock* block = oldest->second;
  while (block != nullptr && block->block_id != block_id) {
    older = block;
    block = block->next_same_prefix;
  }
  if (block == nullptr) return nullptr;

  KVCacheBlock* younger = std::exchange(block->next_same_prefix, nullptr);
  if (older == nullptr && younger == nullptr) {
    oldest_.erase(oldest);
    youngest_.erase(prefix);
    return block;
  }

  KVCacheBlock*& to_block = older == nullptr ? oldest->second : older->next_same_prefix;
  to_block = younger;
  if (younger == nullptr) youngest_.find(prefix)->second = older;
  return block;
}

}  // namespace kv

#include "03-block-hashing/block_hash_to_block_map.h"

#include <algorithm>

namespace kv {

void BlockHashToBlockMap::insert(PrefixId prefix, KVCacheBlock& block) {
  blocks_[prefix].push_back(&block);
}

KVCacheBlock* BlockHashToBlockMap::get_one_block(PrefixId prefix) const {
  const auto found = blocks_.find(prefix);
  return found == blocks_.end() ? nullptr : found->second.front();
}

KVCacheBlock* BlockHashToBlockMap::pop(PrefixId prefix, BlockId block_id) {
  const auto found = blocks_.find(prefix);
  if (found == blocks_.end()) return nullptr;
  auto& blocks = found->second;
  const auto place = std::ranges::find(blocks, block_id, &KVCacheBlock::block_id);
  if (place == blocks.end()) return nullptr;
  KVCacheBlock* block = *place;
  blocks.erase(place);
  if (blocks.empty()) blocks_.erase(found);
  return block;
}

}  // namespace kv

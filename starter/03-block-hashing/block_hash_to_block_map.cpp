#include "03-block-hashing/block_hash_to_block_map.h"

#include <utility>

#include "kv/todo.h"

namespace kv {

void BlockHashToBlockMap::insert(PrefixId prefix, KVCacheBlock& block) {
  KV_TODO("3.4 BlockHashToBlockMap::insert");
}

KVCacheBlock* BlockHashToBlockMap::get_one_block(PrefixId prefix) const {
  KV_TODO("3.5 BlockHashToBlockMap::get_one_block");
}

KVCacheBlock* BlockHashToBlockMap::pop(PrefixId prefix, BlockId block_id) {
  KV_TODO("3.6 BlockHashToBlockMap::pop");
}

}  // namespace kv

#pragma once
// A list of blocks for each prefix: an allocation for each block.

#include <cstddef>
#include <list>
#include <map>

#include "01-free-queue/kv_cache_block.h"
#include "kv/types.h"

namespace kv {

class BlockHashToBlockMap {
 public:
  void insert(PrefixId prefix, KVCacheBlock& block);
  KVCacheBlock* get_one_block(PrefixId prefix) const;
  KVCacheBlock* pop(PrefixId prefix, BlockId block_id);
  std::size_t size() const { return blocks_.size(); }

  void clear() { blocks_.clear(); }

 private:
  std::map<PrefixId, std::list<KVCacheBlock*>> blocks_;  // oldest first
};

}  // namespace kv

#include <vector>

#include "02-block-pool/block_pool.h"
#include "kv/require.h"

namespace kv {

// The other end of the queue first.
void BlockPool::free_unhashed_first(std::span<KVCacheBlock* const> ordered_blocks) {
  std::vector<KVCacheBlock*> hashed, unhashed;
  std::size_t i = 0;
  for (; i < ordered_blocks.size() && is_held(*ordered_blocks[i]); ++i) {
    KVCacheBlock* block = ordered_blocks[i];
    if (block->is_null || --block->ref_cnt > 0) continue;
    (block->block_hash ? hashed : unhashed).push_back(block);
  }
  if (i == ordered_blocks.size()) {
    free_block_queue_.append_n(hashed);
    free_block_queue_.prepend_n(unhashed);
    return;
  }
  while (i-- > 0) ordered_blocks[i]->ref_cnt += ordered_blocks[i]->is_null ? 0 : 1;
  throw ContractViolation("I1: free_blocks takes blocks of this pool that have a user");
}

}  // namespace kv

#include <vector>

#include "02-block-pool/block_pool.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

void BlockPool::free_unhashed_first(std::span<KVCacheBlock* const> ordered_blocks) {
  std::vector<KVCacheBlock*> hashed, unhashed;
  for (std::size_t i = 0; i < ordered_blocks.size(); ++i) {
    KVCacheBlock& block = *ordered_blocks[i];
    if (block.is_null) continue;
    if (block.ref_cnt == 0) {
      // Why: all or nothing. No block has joined the queue, so only the counts are to be undone.
      for (KVCacheBlock* counted : ordered_blocks.first(i))
        if (!counted->is_null) ++counted->ref_cnt;
      throw ContractViolation("I1: a block is listed more often than it is held");
    }
    if (--block.ref_cnt == 0) (block.block_hash ? hashed : unhashed).push_back(&block);
  }

  free_block_queue_.prepend_n(unhashed);
  free_block_queue_.append_n(hashed);
}

}  // namespace kv

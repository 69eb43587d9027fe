#include <vector>

#include "02-block-pool/block_pool.h"
#include "kv/require.h"

namespace kv {

// Appends all, then moves those without a hash one by one, the last of them first.
void BlockPool::free_unhashed_first(std::span<KVCacheBlock* const> ordered_blocks) {
  std::vector<KVCacheBlock*> unhashed;
  std::size_t num_done = 0;
  while (num_done < ordered_blocks.size() && is_held(*ordered_blocks[num_done])) {
    KVCacheBlock* block = ordered_blocks[num_done++];
    if (block->is_null || --block->ref_cnt > 0) continue;
    free_block_queue_.append(*block);
    --num_used_blocks_;
    if (!block->block_hash) unhashed.push_back(block);
  }
  if (num_done < ordered_blocks.size()) {
    while (num_done > 0) touch(ordered_blocks.subspan(--num_done, 1));
    throw ContractViolation("I1: free_blocks takes blocks of this pool that have a user");
  }
  for (auto block = unhashed.rbegin(); block != unhashed.rend(); ++block) {
    free_block_queue_.remove(**block);
    free_block_queue_.prepend_n({&*block, 1});
  }
}

}  // namespace kv

#include <algorithm>
#include <vector>

#include "02-block-pool/block_pool.h"
#include "kv/require.h"

namespace kv {

// A new list, in which those without a hash are the first: the queue is made of it.
void BlockPool::free_unhashed_first(std::span<KVCacheBlock* const> ordered_blocks) {
  std::vector<KVCacheBlock*> freed;
  for (std::size_t i = 0; i < ordered_blocks.size(); ++i) {
    KVCacheBlock& block = *ordered_blocks[i];
    if (!is_held(block)) {
      for (KVCacheBlock* before : ordered_blocks.first(i)) {
        if (before->is_null) continue;
        ++before->ref_cnt;
        free_flag(*before) = 0;
      }
      throw ContractViolation("I1: free_blocks takes blocks of this pool that have a user");
    }
    if (block.is_null || --block.ref_cnt > 0) continue;
    free_flag(block) = 1;
    freed.push_back(&block);
  }
  const auto hashed = std::ranges::stable_partition(
      freed, [](const KVCacheBlock* block) { return !block->block_hash; });
  free_block_queue_.prepend_n({freed.begin(), hashed.begin()});
  free_block_queue_.append_n({hashed.begin(), hashed.end()});
}

}  // namespace kv

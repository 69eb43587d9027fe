// In batches: the entries of 64 blocks, then their tokens, then their ids, then their blocks.
#include <algorithm>
#include <array>

#include "02-block-pool/block_pool.h"
#include "03-block-hashing/given/look_ahead.h"

namespace kv {

std::vector<KVCacheBlock*> BlockPool::find_longest_cache_hit_ahead(
    const Request& request, std::size_t max_num_tokens) const {
  constexpr std::size_t kBatch = 64;
  const auto num_blocks = std::min(max_num_tokens / block_size_, request.block_hashes.size());
  std::vector<KVCacheBlock*> hits;
  std::optional<PrefixId> prefix;
  for (std::size_t first = 0; first < num_blocks; first += kBatch) {
    const std::size_t last = std::min(first + kBatch, num_blocks);
    std::vector<PrefixId> prefixes;
    for (std::size_t i = first; i < last; ++i)
      LookAhead::prefetch(prefix_table_, request.block_hashes[i]);
    for (std::size_t i = first; i < last; ++i)
      LookAhead::guess(prefix_table_, request.block_hashes[i]);
    for (std::size_t i = first; i < last; ++i) {
      prefix = prefix_table_.find(request.block_hashes[i], content_of(request, i, prefix));
      if (!prefix) break;
      LookAhead::prefetch_block(cached_blocks_, *prefix);
      prefixes.push_back(*prefix);
    }
    for (const PrefixId id : prefixes) {
      KVCacheBlock* block = get_cached_block(id);
      if (block == nullptr) return hits;
      hits.push_back(block);
    }
    if (!prefix) break;
  }
  return hits;
}

}  // namespace kv

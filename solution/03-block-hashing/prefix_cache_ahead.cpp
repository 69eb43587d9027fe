#include <algorithm>

#include "02-block-pool/block_pool.h"
#include "03-block-hashing/given/prefetch.h"
#include "kv/todo.h"

namespace kv {

std::vector<KVCacheBlock*> BlockPool::find_longest_cache_hit_ahead(
    const Request& request, std::size_t max_num_tokens) const {
  const std::size_t max_num_blocks =
      std::min(max_num_tokens / block_size_, request.block_hashes.size());
  std::vector<KVCacheBlock*> hits;
  std::vector<PrefixId> prefixes;
  std::optional<PrefixId> prefix;
  hits.reserve(max_num_blocks);
  constexpr std::size_t kLookAhead = 64;
  for (std::size_t first = 0; first < max_num_blocks; first += kLookAhead) {
    const std::size_t last = std::min(first + kLookAhead, max_num_blocks);
    for (std::size_t i = first; i < last; ++i)
      Prefetch::prefix_entry(prefix_table_, request.block_hashes[i]);
    for (std::size_t i = first; i < last; ++i)
      Prefetch::prefix_tokens(prefix_table_, request.block_hashes[i]);
    prefixes.clear();
    for (std::size_t i = first; i < last; ++i) {
      prefix = prefix_table_.find(request.block_hashes[i], content_of(request, i, prefix));
      if (!prefix) break;
      Prefetch::block_entry(cached_blocks_, *prefix);
      prefixes.push_back(*prefix);
    }
    for (const PrefixId id : prefixes) {
      KVCacheBlock* block = get_cached_block(id);
      if (block == nullptr) return hits;
      hits.push_back(block);
    }
    if (!prefix) return hits;
  }
  return hits;
}

}  // namespace kv

// Asks for one block's memory while it reads that of an earlier one: no batches.
#include <algorithm>

#include "02-block-pool/block_pool.h"
#include "03-block-hashing/given/prefetch.h"

namespace kv {

std::vector<KVCacheBlock*> BlockPool::find_longest_cache_hit_ahead(
    const Request& request, std::size_t max_num_tokens) const {
  constexpr std::size_t kToTokens = 8, kToEntry = 16;
  const auto hashes =
      std::span(request.block_hashes)
          .first(std::min(max_num_tokens / block_size_, request.block_hashes.size()));
  std::vector<KVCacheBlock*> hits;
  std::optional<PrefixId> prefix;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (i + kToEntry < hashes.size()) Prefetch::prefix_entry(prefix_table_, hashes[i + kToEntry]);
    if (i + kToTokens < hashes.size())
      Prefetch::prefix_tokens(prefix_table_, hashes[i + kToTokens]);
    prefix = prefix_table_.find(hashes[i], content_of(request, i, prefix));
    KVCacheBlock* block = prefix ? get_cached_block(*prefix) : nullptr;
    if (block == nullptr) break;
    hits.push_back(block);
  }
  return hits;
}

}  // namespace kv

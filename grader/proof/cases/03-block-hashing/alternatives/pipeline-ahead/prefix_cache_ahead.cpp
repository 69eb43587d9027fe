// A pipeline: in turn i, ask for the entry of block i, guess block i - 32, check block i - 64.
#include <algorithm>
#include <array>

#include "02-block-pool/block_pool.h"
#include "03-block-hashing/given/look_ahead.h"

namespace kv {

std::vector<KVCacheBlock*> BlockPool::find_longest_cache_hit_ahead(
    const Request& request, std::size_t max_num_tokens) const {
  constexpr std::size_t kAhead = 32;  // blocks from one stage to the next
  const auto num_blocks = std::min(max_num_tokens / block_size_, request.block_hashes.size());
  const auto hashes = std::span(request.block_hashes).first(num_blocks);
  std::array<LookAhead::Guess, kAhead> guesses;
  std::vector<PrefixId> prefixes;
  prefixes.reserve(num_blocks);
  for (std::size_t i = 0; i < num_blocks + 2 * kAhead; ++i) {
    if (i >= 2 * kAhead) {
      const std::size_t block = i - 2 * kAhead;
      const auto parent = block == 0 ? std::nullopt : std::optional(prefixes.back());
      const BlockContent content = content_of(request, block, parent);
      const LookAhead::Guess guess = guesses[i % kAhead];
      const bool is_right = LookAhead::is_right(prefix_table_, guess, content);
      const auto prefix = is_right ? guess.prefix() : prefix_table_.find(hashes[block], content);
      if (!prefix) break;
      prefixes.push_back(*prefix);
      LookAhead::prefetch(cached_blocks_, *prefix);
    }
    guesses[i % kAhead] = LookAhead::guess(prefix_table_, hashes, i - kAhead);
    LookAhead::prefetch(prefix_table_, hashes, i);
  }
  std::vector<KVCacheBlock*> hits;
  hits.reserve(prefixes.size());
  for (const PrefixId id : prefixes) hits.push_back(cached_blocks_.get_one_block(id));
  hits.erase(std::ranges::find(hits, nullptr), hits.end());
  return hits;
}

}  // namespace kv

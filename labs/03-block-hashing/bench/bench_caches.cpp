// Why a file of its own: then a call of these costs what a call of the block pool costs.

#include "03-block-hashing/bench/bench_caches.h"

#include <bit>

namespace kv::bench {

Blocks HashOnly::walk(const Request& request) const {
  Blocks hits;
  for (const BlockHash hash : request.block_hashes) {
    const auto found = cached_.find(hash);
    if (found == cached_.end()) break;
    hits.push_back(found->second);
  }
  return hits;
}

void HashOnly::evict(KVCacheBlock& block) {
  cached_.erase(*block.block_hash);
  block.block_hash.reset();
}

void HashOnly::insert(const Request& request,
                      const Blocks& table,
                      std::size_t first,
                      std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    table[i]->block_hash = request.block_hashes[i];
    cached_.emplace(request.block_hashes[i], table[i]);
  }
}

// 16 bytes an entry: those of hashes in tables that are between a quarter and half full, those of
// ids side by side.
ThreeLines::ThreeLines(std::size_t num_blocks) {
  const std::size_t table = std::bit_ceil(2 * num_blocks) / 4;
  memory_ = {HugePageVector<Line>(table), HugePageVector<Line>(num_blocks),
             HugePageVector<Line>(num_blocks / 4)};
}

std::uint64_t ThreeLines::walk(const Request& request) const {
  std::uint64_t sum = 0;
  for (BlockHash hash : request.block_hashes) {
    for (const HugePageVector<Line>& lines : memory_) {
      sum += lines[(hash >> 32) * lines.size() >> 32].word;
      hash = std::rotl(hash, 21);
    }
  }
  return sum;
}

}  // namespace kv::bench

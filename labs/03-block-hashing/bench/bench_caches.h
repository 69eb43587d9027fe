#pragma once
// What is measured, each on its own blocks: the prefix cache with both forms of the walk, a map in
// which the hash decides, and a lower limit.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "02-block-pool/block_pool.h"
#include "03-block-hashing/bench/bench_prompts.h"
#include "03-block-hashing/given/huge_page_vector.h"

namespace kv::bench {

using Blocks = std::vector<KVCacheBlock*>;

// BlockPool: steps 3.11, 3.13 and 3.14.
class PlainPool {
 public:
  explicit PlainPool(std::size_t num_blocks)
      : pool_(num_blocks + 1, kBlockSize), blocks_(*pool_.get_new_blocks(num_blocks)) {}

  Blocks& blocks() { return blocks_; }
  Blocks walk(const Request& request) const {
    return pool_.find_longest_cache_hit(request, request.token_ids.size());
  }
  void evict(KVCacheBlock& block) { pool_.maybe_evict_cached_block(block); }
  void insert(const Request& request, const Blocks& table, std::size_t first, std::size_t last) {
    pool_.cache_full_blocks(request, table, first, last);
  }

 protected:
  BlockPool pool_;
  Blocks blocks_;
};

// The same with step 3.19 in place of 3.13.
class AheadPool : public PlainPool {
 public:
  using PlainPool::PlainPool;
  Blocks walk(const Request& request) const {
    return pool_.find_longest_cache_hit_ahead(request, request.token_ids.size());
  }
};

// Blocks without a pool.
class OwnBlocks {
 public:
  explicit OwnBlocks(std::size_t num_blocks) : owned_(num_blocks) {
    for (KVCacheBlock& block : owned_) blocks_.push_back(&block);
  }
  Blocks& blocks() { return blocks_; }

 private:
  std::vector<KVCacheBlock> owned_;
  Blocks blocks_;
};

// The hash alone decides which block is found.
class HashOnly : public OwnBlocks {
 public:
  using OwnBlocks::OwnBlocks;
  Blocks walk(const Request& request) const;
  void evict(KVCacheBlock& block);
  void insert(const Request& request, const Blocks& table, std::size_t first, std::size_t last);

 private:
  std::unordered_map<BlockHash, KVCacheBlock*> cached_;
};

// The lower limit: in as much memory as the prefix cache uses, one line of its entries, one of its
// tokens and one of its block map are read for each block, and nothing is compared.
class ThreeLines {
 public:
  explicit ThreeLines(std::size_t num_blocks);
  std::uint64_t walk(const Request& request) const;

 private:
  struct alignas(64) Line {
    std::uint64_t word = 1;
  };
  std::array<HugePageVector<Line>, 3> memory_;
};

}  // namespace kv::bench

#pragma once
// What is measured, each on its own blocks: the prefix cache, the same without looking ahead, a map
// that believes the hash, and the limit of the first.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "02-block-pool/block_pool.h"
#include "03-block-hashing/bench/bench_prompts.h"
#include "03-block-hashing/given/large_array.h"

namespace kv::bench {

using Blocks = std::vector<KVCacheBlock*>;

// BlockPool, and so steps 3.10, 3.12 and 3.13 as they are.
class ExactPool {
 public:
  explicit ExactPool(std::size_t num_blocks)
      : pool_(num_blocks + 1, kBlockSize), blocks_(*pool_.get_new_blocks(num_blocks)) {}

  Blocks& blocks() { return blocks_; }
  Blocks walk(const Request& request) const {
    return pool_.find_longest_cache_hit(request, request.token_ids.size());
  }
  void evict(KVCacheBlock& block) { pool_.maybe_evict_cached_block(block); }
  void insert(const Request& request, const Blocks& table, std::size_t first, std::size_t last) {
    pool_.cache_full_blocks(request, table, first, last);
  }

 private:
  BlockPool pool_;
  Blocks blocks_;
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

// As exact, one block after the other.
class ExactBlockByBlock : public OwnBlocks {
 public:
  using OwnBlocks::OwnBlocks;
  Blocks walk(const Request& request) const;
  void evict(KVCacheBlock& block);
  void insert(const Request& request, const Blocks& table, std::size_t first, std::size_t last);

 private:
  PrefixTable prefixes_{kBlockSize};
  BlockHashToBlockMap cached_;
};

class HashOnly : public OwnBlocks {
 public:
  using OwnBlocks::OwnBlocks;
  Blocks walk(const Request& request) const;
  void evict(KVCacheBlock& block);
  void insert(const Request& request, const Blocks& table, std::size_t first, std::size_t last);

 private:
  std::unordered_map<BlockHash, KVCacheBlock*> cached_;
};

// The limit of the exact one: in as much memory as it uses, a line of its entries, one of its
// tokens and one of its block map, read for each block and compared with nothing.
class ThreeLines {
 public:
  explicit ThreeLines(std::size_t num_blocks);
  std::uint64_t walk(const Request& request) const;

 private:
  struct alignas(64) Line {
    std::uint64_t word = 1;
  };
  std::array<LargeArray<Line>, 3> memory_;
};

}  // namespace kv::bench

#pragma once
// The competitor of both designs: the manager that one writes first, with the standard library's
// containers. The hash alone decides which block is found, an equal block is not cached a second
// time, nothing is refused, and there are no forks, lookahead tokens or draft tokens.

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "03-block-hashing/request.h"

namespace kv::bench {

// The calls of KVCacheManager that the bench makes.
class ListAndMaps {
 public:
  struct Block {
    BlockId block_id = 0;
    std::int32_t ref_cnt = 0;
    std::optional<BlockHash> block_hash = {};
    std::list<Block*>::iterator place = {};  // in the free list, while the block has no user
  };
  using Blocks = std::vector<Block*>;
  struct ComputedBlocks {
    Blocks blocks;
    std::size_t num_tokens;
  };
  struct AllocateOptions {
    std::span<Block* const> new_computed_blocks;
  };

  ListAndMaps(std::size_t num_blocks, std::size_t block_size);  // free in random order
  ListAndMaps(const ListAndMaps&) = delete;                     // tables point at its blocks
  ListAndMaps& operator=(const ListAndMaps&) = delete;

  ComputedBlocks get_computed_blocks(const Request& request) const;
  // The new blocks.
  std::optional<Blocks> allocate_slots(const Request& request,
                                       std::size_t num_new_tokens,
                                       const AllocateOptions& options = {});
  void free(const Request& request);

 private:
  struct Held {
    Blocks blocks = {};
    std::size_t num_cached_blocks = 0;
  };

  Block& take_oldest();

  std::size_t block_size_;
  std::vector<Block> blocks_;
  std::list<Block*> free_blocks_;  // the oldest first
  std::unordered_map<BlockHash, Block*> cached_;
  std::unordered_map<std::string, Held> held_;
};

}  // namespace kv::bench

#pragma once
// What a router that spreads requests over many engines is told, so that it can send a prompt to
// the engine that holds its prefix.

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kv/types.h"

namespace kv {

// These blocks can be found now: one event for each cache_full_blocks with a range that is not
// empty.
struct BlockStored {
  std::vector<BlockHash> block_hashes;         // of the blocks that were sealed
  std::optional<BlockHash> parent_block_hash;  // of the request's block before the first of them
  std::vector<TokenId> token_ids;              // of the whole range, null blocks too
  std::size_t block_size;
  std::string lora_name;

  bool operator==(const BlockStored&) const = default;
};

// This block cannot be found any more; another one with the same hash may be.
struct BlockRemoved {
  BlockHash block_hash;

  bool operator==(const BlockRemoved&) const = default;
};

struct AllBlocksCleared {
  bool operator==(const AllBlocksCleared&) const = default;
};

// In the order of the calls that made them; those of one call in any order.
// vLLM: vllm/distributed/kv_events.py
using KVCacheEvent = std::variant<BlockStored, BlockRemoved, AllBlocksCleared>;

}  // namespace kv

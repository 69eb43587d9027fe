#pragma once
// Given: what a router that spreads requests over many engines is sent, so that it can send a
// prompt to the engine that holds its prefix. Needed for step 3.18 only.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "01-free-queue/kv_cache_block.h"
#include "03-block-hashing/request.h"
#include "kv/types.h"

namespace kv {

// These blocks can be found from now on: one event for each cache_full_blocks with a range that is
// not empty.
struct BlockStored {
  std::vector<BlockHash> block_hashes;         // hashes of the blocks that were sealed
  std::optional<BlockHash> parent_block_hash;  // hash of the request's block before the first one
  std::vector<TokenId> token_ids;              // tokens of the whole range, null blocks too
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

// The event of a cache_full_blocks call that sealed blocks[first, last).
inline BlockStored stored_event(const Request& request,
                                std::span<KVCacheBlock* const> blocks,
                                std::size_t first,
                                std::size_t last) {
  BlockStored event{.block_hashes = {},
                    .parent_block_hash = {},
                    .token_ids = {},
                    .block_size = request.block_size,
                    .lora_name = request.lora_name};
  if (first > 0) event.parent_block_hash = request.block_hashes[first - 1];
  for (std::size_t i = first; i < last; ++i) {
    if (!blocks[i]->is_null) event.block_hashes.push_back(request.block_hashes[i]);
    std::ranges::copy(request.block_token_ids(i), std::back_inserter(event.token_ids));
  }
  return event;
}

}  // namespace kv

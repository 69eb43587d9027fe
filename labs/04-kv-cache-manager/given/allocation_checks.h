#pragma once
// What steps 4.4, 4.6 and 4.17 refuse, and the number of blocks for a number of tokens.

#include <algorithm>
#include <span>

#include "03-block-hashing/request.h"
#include "04-kv-cache-manager/block_table.h"
#include "kv/require.h"

namespace kv {

// Rounded up. Why not num_tokens + block_size - 1: the sum might not fit into 64 bits.
inline std::size_t blocks_for(std::size_t num_tokens, std::size_t block_size) {
  return num_tokens / block_size + (num_tokens % block_size == 0 ? 0 : 1);
}

inline void require_hashed(const Request& request, std::size_t block_size) {
  KV_REQUIRE(
      "I3: a request of this block size, with every full block hashed",
      request.block_size == block_size && request.block_hashes.size() == request.num_full_blocks());
}

// Whether the blocks carry the hashes of the first blocks of the request. Why: blocks that were
// found earlier may have been evicted since, and hold another text now.
inline bool hold_beginning(std::span<KVCacheBlock* const> blocks, const Request& request) {
  const auto has_hash = [](const KVCacheBlock* block, BlockHash hash) {
    return block->block_hash == hash;
  };
  return blocks.size() <= request.block_hashes.size() &&
         std::equal(blocks.begin(), blocks.end(), request.block_hashes.begin(), has_hash);
}

// table: the blocks that the request has.
inline void require_allocatable(const Request& request,
                                std::size_t num_new_tokens,
                                std::span<KVCacheBlock* const> hits,
                                const BlockTable& table) {
  KV_REQUIRE("new tokens get slots, and computed ones have them",
             num_new_tokens > 0 && request.num_computed_tokens <= table.num_slots());
  KV_REQUIRE("I13: hits are the first blocks of a request without blocks",
             hits.empty() || (table.num_blocks() == 0 && hold_beginning(hits, request)));
}

// Step 4.17: the computed tokens and the scheduled ones after them have slots.
inline void require_slots(const Request& request,
                          std::size_t num_scheduled_tokens,
                          std::size_t num_table_slots) {
  const std::size_t num_computed = request.num_computed_tokens;
  const std::size_t num_slots = std::min(request.token_ids.size(), num_table_slots);
  KV_REQUIRE("tokens that were computed have slots",
             num_computed <= num_slots && num_scheduled_tokens <= num_slots - num_computed);
}

// Step 4.17: blocks [start, end) of the table can be cached now.
inline void require_cacheable(std::span<KVCacheBlock* const> table,
                              std::size_t start,
                              std::size_t end) {
  const auto is_cached = [](const KVCacheBlock* block) { return block->block_hash.has_value(); };
  const bool has_parent = start == end || start == 0 || is_cached(table[start - 1]);
  KV_REQUIRE("a block is cached once, after its parent",
             has_parent && std::ranges::none_of(table.subspan(start, end - start), is_cached));
}

}  // namespace kv

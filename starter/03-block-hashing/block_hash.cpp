#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "03-block-hashing/request.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

static_assert(std::endian::native == std::endian::little, "the hashed bytes are little-endian");

BlockHash hash_block_tokens(std::optional<BlockHash> parent_block_hash,
                            std::span<const TokenId> curr_block_token_ids,
                            const ExtraKeys& extra_keys) {
  KV_REQUIRE("I3: a full block is hashed, and it is not empty", !curr_block_token_ids.empty());
  KV_TODO("3.1 hash_block_tokens");
}

ExtraKeys generate_block_hash_extra_keys(const Request& request,
                                         std::size_t start_token,
                                         std::size_t end_token) {
  KV_TODO("3.2 generate_block_hash_extra_keys");
}

void update_block_hashes(Request& request) {
  KV_TODO("3.3 update_block_hashes");
}

}  // namespace kv

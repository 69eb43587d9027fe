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
  XXH64_state_t state;
  XXH64_reset(&state, 0);
  const auto add = [&](std::uint64_t word) { XXH64_update(&state, &word, sizeof word); };
  if (parent_block_hash) add(*parent_block_hash);
  for (const TokenId token : curr_block_token_ids) {
    add(static_cast<std::uint64_t>(static_cast<std::int64_t>(token)));
  }
  for (const std::string& key : extra_keys) add(XXH64(key.data(), key.size(), 0));
  return XXH64_digest(&state);
}

ExtraKeys generate_block_hash_extra_keys(const Request& request,
                                         std::size_t start_token,
                                         std::size_t end_token) {
  ExtraKeys keys;
  if (!request.lora_name.empty()) keys.push_back("lora=" + request.lora_name);
  if (!request.lora_path.empty()) keys.push_back("path=" + request.lora_path);
  for (const MultiModalFeature& feature : request.mm_features) {
    const std::size_t first = std::max(feature.offset, start_token);  // first token in the block
    if (first >= end_token || first - feature.offset >= feature.num_tokens) continue;
    const auto offset =
        static_cast<std::int64_t>(feature.offset) - static_cast<std::int64_t>(start_token);
    keys.push_back("image=" + feature.identifier + "@" + std::to_string(offset));
  }
  if (start_token == 0 && !request.cache_salt.empty()) keys.push_back("salt=" + request.cache_salt);
  return keys;
}

void update_block_hashes(Request& request) {
  for (std::size_t i = request.block_hashes.size(); i < request.num_full_blocks(); ++i) {
    const std::size_t start_token = i * request.block_size;
    request.block_extra_keys.push_back(
        generate_block_hash_extra_keys(request, start_token, start_token + request.block_size));
    const auto parent = i == 0 ? std::nullopt : std::optional(request.block_hashes.back());
    request.block_hashes.push_back(
        hash_block_tokens(parent, request.block_token_ids(i), request.block_extra_keys.back()));
  }
}

}  // namespace kv

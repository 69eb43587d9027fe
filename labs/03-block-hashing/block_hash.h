#pragma once
// A block's hash names everything that its keys and values depend on: its tokens, all tokens before
// them, and what else shaped them. Attention looks back at all earlier tokens, so each hash
// contains its parent's.
//
//       tokens   [1 2 3 4] [5 6 7 8]          [0 2 3 4] [5 6 7 8]
//       hashes       A <------- B                 C <------- D         B != D: other ancestors
//
// Two wrong hashes, with which one user gets another user's keys and values:
//   without the parent      B == D, and the second prompt is served the first one's keys
//   of a partial block      [5 6 _ _] has the hash of [5 6] and padding, and it still changes
//
//   I3  Only full blocks are hashed and cached; a partial block still changes.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kv/types.h"

namespace kv {

// What shaped a block besides its tokens, each as its full value with its kind in front:
// "lora=NAME", "path=PATH", "image=ID@OFFSET", "salt=SALT". Compared as they are; hashed as 8-byte
// words.
using ExtraKeys = std::vector<std::string>;

// 3.1  The hash of one full block. XXH64 with seed 0 over these bytes, all little-endian:
//
//       parent's hash     8 bytes; left out when there is no parent
//       each token        8 bytes: the id, widened to int64
//       each extra key    8 bytes: XXH64 with seed 0 of the key's own bytes
//
// tokens: [block_size], not empty. Misuse: an empty block is refused.
// O(tokens + bytes of extra keys), allocates nothing once warm.
// nano-vLLM: BlockManager.compute_hash, byte for byte where there are no extra keys
// vLLM: hash_block_tokens in vllm/v1/core/kv_cache_utils.py (SHA-256 over pickled values)
BlockHash hash_block_tokens(std::optional<BlockHash> parent_block_hash,
                            std::span<const TokenId> curr_block_token_ids,
                            const ExtraKeys& extra_keys);

}  // namespace kv

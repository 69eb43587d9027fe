#pragma once
// The types that all labs share. docs/glossary.md explains the words.

#include <cstdint>

namespace kv {

using BlockId = std::int32_t;     // a block of the KV cache; 0 is the null block from lab 02 on
using TokenId = std::int32_t;     // the tokenizer's number of a word piece
using BlockHash = std::uint64_t;  // digest of a full block and of everything before it (lab 03)
using PrefixId = std::uint64_t;   // names a whole prefix: tokens, parents, extra keys (lab 03)
using SlotId = std::int64_t;      // the place of one token in the KV cache (lab 04)

}  // namespace kv

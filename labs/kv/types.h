#pragma once
// The words that every lab shares. docs/glossary.md explains them.

#include <cstdint>

namespace kv {

using BlockId = std::int32_t;     // a page of the KV cache; 0 is the null block from lab 02 on
using TokenId = std::int32_t;     // a word piece, as the tokenizer numbers it
using BlockHash = std::uint64_t;  // digest of a full block and of everything before it (lab 03)
using PrefixId = std::uint64_t;   // stands for a whole prefix: tokens, parents, extra keys (lab 03)

}  // namespace kv

#pragma once
// The words that every lab shares. docs/glossary.md explains them.

#include <cstdint>

namespace kv {

using BlockId = std::int32_t;     // a page of the KV cache; 0 is the null block from lab 02 on
using BlockHash = std::uint64_t;  // digest of a full block and of everything before it (lab 03)

}  // namespace kv

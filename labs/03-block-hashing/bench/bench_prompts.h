#pragma once
// The prompts of the benches: 256 blocks of 16 random tokens each.

#include <cstddef>
#include <vector>

#include "03-block-hashing/request.h"

namespace kv::bench {

constexpr std::size_t kBlockSize = 16, kPromptBlocks = 256;

// num_prompts of random tokens, hashed.
std::vector<Request> make_prompts(std::size_t num_prompts);

}  // namespace kv::bench

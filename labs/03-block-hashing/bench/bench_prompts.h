#pragma once
// The prompts of the benches, 256 blocks of 16 random tokens each, and how one of them is timed.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "03-block-hashing/request.h"

namespace kv::bench {

constexpr std::size_t kBlockSize = 16, kPromptBlocks = 256;

// num_prompts of random tokens, hashed.
inline std::vector<Request> make_prompts(std::size_t num_prompts) {
  std::mt19937 random(7);
  std::uniform_int_distribution<TokenId> token(0, 151'935);
  std::vector<Request> prompts(num_prompts);
  for (Request& prompt : prompts) {
    prompt.block_size = kBlockSize;
    prompt.token_ids.resize(kPromptBlocks * kBlockSize);
    std::ranges::generate(prompt.token_ids, [&] { return token(random); });
    update_block_hashes(prompt);
  }
  return prompts;
}

// A request that is looked up or cached has just come in, so the processor's caches have it.
inline void read(const Request& request) {
  std::uint64_t sum = 0;
  for (const TokenId token : request.token_ids) sum += static_cast<std::uint64_t>(token);
  for (const BlockHash hash : request.block_hashes) sum += hash;
  for (const ExtraKeys& keys : request.block_extra_keys) sum += keys.size();
  benchmark::DoNotOptimize(sum);
}

// What a benchmark's iteration counts, when not all of it counts.
template <class Work>
void measure_manually(benchmark::State& state, Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  state.SetIterationTime(taken.count());
}

}  // namespace kv::bench

#define XXH_INLINE_ALL
#include "03-block-hashing/bench/hash_chain_bench.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <vector>

#include "03-block-hashing/bench/bench_prompts.h"
#include "03-block-hashing/bench/manual_timer.h"
#include "grader/harness/bench_rows.h"

namespace kv::bench {

void hash_prompt(benchmark::State& state) {
  Request prompt = make_prompts(1).front();
  for (auto _ : state) {
    prompt.block_hashes.clear();
    prompt.block_extra_keys.clear();
    measure_manually(state, [&] { update_block_hashes(prompt); });
    benchmark::ClobberMemory();
  }
  rows().answer(fingerprint(prompt.block_hashes));
}

// Parent and tokens lie side by side already; only the parents are written. As with the block size
// of a pool, the compiler does not know how many there are.
void hash_bare(benchmark::State& state) {
  std::size_t num_words = 1 + kBlockSize;
  benchmark::DoNotOptimize(num_words);
  std::vector<std::uint64_t> words(kPromptBlocks * num_words, 1);
  for (auto _ : state) {
    BlockHash hash = XXH64(&words[1], (num_words - 1) * sizeof(words[0]), 0);
    for (std::size_t i = 1; i < kPromptBlocks; ++i) {
      words[i * num_words] = hash;
      hash = XXH64(&words[i * num_words], num_words * sizeof(words[0]), 0);
    }
    benchmark::DoNotOptimize(hash);
  }
}

// The same as hash_bare, from the tokens of a request: each block's bytes are made before it is
// hashed.
void hash_widened(benchmark::State& state) {
  const Request prompt = make_prompts(1).front();
  constexpr std::size_t kParent = 7;  // so that tokens begin a line of memory
  alignas(64) std::array<std::uint64_t, kParent + 1 + kBlockSize> words;
  for (auto _ : state) {
    BlockHash hash = 0;
    for (std::size_t i = 0; i < kPromptBlocks; ++i) {
      words[kParent] = hash;
      std::ranges::copy(prompt.block_token_ids(i), &words[kParent + 1]);
      hash = XXH64(&words[kParent], (1 + prompt.block_size) * sizeof(words[0]), 0);
    }
    benchmark::DoNotOptimize(hash);
  }
}

}  // namespace kv::bench

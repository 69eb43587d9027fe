// Hashing a prompt beside bare XXH64, and the exact prefix cache beside a map that believes the
// hash. A request that is looked up or sealed has just been hashed, so its tokens are read before
// the clock starts; what the cache holds is scattered over its memory.

#define XXH_INLINE_ALL
#include <benchmark/benchmark.h>
#include <xxhash.h>

#include <chrono>
#include <vector>

#include "03-block-hashing/cached_prompts_bench.h"
#include "grader/bench/ratio_table.h"

namespace kv::bench {

constexpr Name kHash = "hash a block", kFind = "find, a block", kReplace = "evict + seal, a block";
constexpr Name kOurHash = "update_block_hashes", kBareHash = "bare XXH64";
constexpr Name kExact = "exact, looking ahead", kBlockByBlock = "exact, block by block";
constexpr Name kHashOnly = "hash only, unordered_map";

const std::vector<std::size_t> kSizes = {100'000, 1'000'000};
const std::vector<Name> kCaches = {kExact, kBlockByBlock, kHashOnly};
const std::vector<Table> kTables = {
    {kHash, "in a prompt", {kPromptBlocks}, kPromptBlocks, {kOurHash, kBareHash}, kBareHash},
    {kFind, "entries", kSizes, kPromptBlocks, kCaches, kHashOnly},
    {kReplace, "entries", kSizes, kPromptBlocks, kCaches, kHashOnly}};
const std::vector<Goal> kGoals = {{kHash, kOurHash, kBareHash, {1.15}},
                                  {kFind, kExact, kHashOnly, {1, 1}},
                                  {kReplace, kExact, kHashOnly, {1, 1}}};

void hash_prompt(benchmark::State& state) {
  Request prompt = make_prompts(1).front();
  for (auto _ : state) {
    prompt.block_hashes.clear();
    prompt.block_extra_keys.clear();
    update_block_hashes(prompt);
    benchmark::ClobberMemory();
  }
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

template <class Work>
void time_by_hand(benchmark::State& state, Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  state.SetIterationTime(taken.count());
}

void read(const Request& request) {
  std::uint64_t sum = 0;
  for (const TokenId token : request.token_ids) sum += static_cast<std::uint64_t>(token);
  for (const BlockHash hash : request.block_hashes) sum += hash;
  for (const ExtraKeys& keys : request.block_extra_keys) sum += keys.size();
  benchmark::DoNotOptimize(sum);
}

// Filling a cache takes seconds, so one serves every turn.
template <class Cache>
CachedPrompts<Cache>& cached_prompts(std::size_t num_blocks) {
  static std::map<std::size_t, std::unique_ptr<CachedPrompts<Cache>>> built;
  auto& prompts = built[num_blocks];
  if (!prompts) prompts = std::make_unique<CachedPrompts<Cache>>(num_blocks);
  for (int i = 0; i < 500; ++i) prompts->cache().walk(prompts->next_prompt());  // warms the caches
  return *prompts;
}

template <class Cache>
void find_prompt(benchmark::State& state, std::size_t num_blocks) {
  auto& prompts = cached_prompts<Cache>(num_blocks);
  for (auto _ : state) {
    const Request& prompt = prompts.next_prompt();
    read(prompt);
    time_by_hand(state, [&] { benchmark::DoNotOptimize(prompts.cache().walk(prompt)); });
  }
}

template <class Cache>
void replace_prompt(benchmark::State& state, std::size_t num_blocks) {
  auto& prompts = cached_prompts<Cache>(num_blocks);
  for (auto _ : state) {
    const Request& prompt = prompts.replace_next_prompt();
    read(prompt);
    time_by_hand(state, [&] {
      for (std::size_t i = 0; i < kPromptBlocks; ++i) {
        prompts.cache().evict(*prompts.table()[i]);
        prompts.cache().insert(prompt, prompts.table(), i);
      }
    });
  }
}

template <class Cache>
void add(Name peer) {
  for (const std::size_t size : kSizes) {
    const auto find = [size](benchmark::State& state) { find_prompt<Cache>(state, size); };
    const auto replace = [size](benchmark::State& state) { replace_prompt<Cache>(state, size); };
    benchmark::RegisterBenchmark(row_name(kFind, peer, size).c_str(), find)->UseManualTime();
    benchmark::RegisterBenchmark(row_name(kReplace, peer, size).c_str(), replace)->UseManualTime();
  }
}

}  // namespace kv::bench

int main(int argc, char** argv) {
  using namespace kv::bench;
  benchmark::RegisterBenchmark(row_name(kHash, kOurHash, kPromptBlocks).c_str(), hash_prompt);
  benchmark::RegisterBenchmark(row_name(kHash, kBareHash, kPromptBlocks).c_str(), hash_bare);
  add<ExactPool>(kExact);
  add<ExactBlockByBlock>(kBlockByBlock);
  add<HashOnly>(kHashOnly);
  RatioTable table(kTables, kGoals);
  return run_in_turns(argc, argv, table);
}

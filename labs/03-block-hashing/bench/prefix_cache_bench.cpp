// Compares hashing a prompt with bare XXH64, and both forms of the exact prefix cache with a map in
// which the hash decides. A request that is looked up or sealed has just been hashed, so its tokens
// are read before the clock starts; what the cache holds is scattered over its memory. A new prompt
// takes all its blocks first and is then sealed in one call, as in allocate_slots.

#define XXH_INLINE_ALL
#include <benchmark/benchmark.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "03-block-hashing/bench/bench_caches.h"
#include "03-block-hashing/bench/bench_prompts.h"
#include "grader/harness/bench_rows.h"
#include "grader/harness/ratio_table.h"

namespace kv::bench {

// A cache that is full of prompts, as after hours of service, and a few prompts that it does not
// hold.
template <class Cache>
class CachedPrompts {
 public:
  explicit CachedPrompts(std::size_t num_blocks)
      : cache_(num_blocks / kPromptBlocks * kPromptBlocks),
        prompts_(make_prompts(num_blocks / kPromptBlocks + kNumOutside)) {
    std::ranges::shuffle(cache_.blocks(), random_);
    for (std::size_t p = 0; p + kNumOutside < prompts_.size(); ++p) {
      const auto first = cache_.blocks().begin() + static_cast<long>(p * kPromptBlocks);
      tables_.emplace_back(first, first + kPromptBlocks);
    }
    std::vector<Place> places;
    for (std::size_t i = 0; i < cache_.blocks().size(); ++i)
      places.push_back({i % kPromptBlocks, i / kPromptBlocks});
    insert_in_any_order(places);
    std::ranges::shuffle(places, random_);
    places.resize(places.size() / 2);  // and what took their place in memory comes from all over
    for (const Place& place : places) cache_.evict(*tables_[place.prompt][place.block]);
    insert_in_any_order(places);
  }

  Cache& cache() { return cache_; }
  const Request& next_prompt() { return prompts_[next_ = (next_ + 1) % tables_.size()]; }

  // The next prompt goes, and one from outside comes: its blocks, as a finished request frees them.
  const Request& replace_next_prompt() {
    next_ = (next_ + 1) % tables_.size();
    outside_ = (outside_ + 1) % kNumOutside;
    std::ranges::reverse(tables_[next_]);
    std::swap(prompts_[next_], prompts_[tables_.size() + outside_]);
    return prompts_[next_];
  }
  const Blocks& table() const { return tables_[next_]; }

 private:
  static constexpr std::size_t kNumOutside = 64;
  struct Place {
    std::size_t block, prompt;
  };

  // A block after its parent, and otherwise in no order.
  void insert_in_any_order(std::vector<Place>& places) {
    std::ranges::shuffle(places, random_);
    std::ranges::stable_sort(places, {}, &Place::block);
    for (const auto& [block, prompt] : places)
      cache_.insert(prompts_[prompt], tables_[prompt], block, block + 1);
  }

  std::mt19937 random_{42};
  Cache cache_;
  std::vector<Request> prompts_;  // those that are cached, then those outside
  std::vector<Blocks> tables_;
  std::size_t next_ = 0, outside_ = 0;
};

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

constexpr Name kHash = "hash a block", kFind = "find, a block", kReplace = "evict + seal, a block";
constexpr Name kOurHash = "update_block_hashes", kWidened = "XXH64, tokens widened";
constexpr Name kBareHash = "bare XXH64";
constexpr Name kAhead = "exact, ahead", kPlain = "exact, plain";
constexpr Name kHashOnly = "hash only, unordered_map", kLimit = "three lines, the limit";

const std::vector<std::size_t> kSizes = {100'000, 1'000'000};
const std::vector<Name> kHashes = {kOurHash, kWidened, kBareHash};
const std::vector<Name> kFinders = {kAhead, kPlain, kHashOnly, kLimit};
const std::vector<Name> kCaches = {kAhead, kPlain, kHashOnly};
const Table kHashing = {kHash,   "in a prompt", {kPromptBlocks}, kPromptBlocks,
                        kHashes, kBareHash,     {kOurHash},      kBareHash};
const Table kFinding = {kFind,    "entries", kSizes,           kPromptBlocks,
                        kFinders, kHashOnly, {kAhead, kPlain}, kLimit};
const Table kReplacing = {kReplace, "entries", kSizes,   kPromptBlocks,
                          kCaches,  kHashOnly, {kPlain}, kHashOnly};
const std::vector<Goal> kGoals = {{kHash, kOurHash, kBareHash, {1.15}},
                                  {kFind, kAhead, kHashOnly, {1, 0.6}},
                                  {kReplace, kAhead, kHashOnly, {1, 1}}};

// Filling a cache takes seconds, so one serves every turn.
template <class Cache>
CachedPrompts<Cache>& cached_prompts(std::size_t num_blocks) {
  static std::map<std::size_t, std::unique_ptr<CachedPrompts<Cache>>> built;
  auto& prompts = built[num_blocks];
  if (!prompts) prompts = std::make_unique<CachedPrompts<Cache>>(num_blocks);
  for (int i = 0; i < 500; ++i) prompts->cache().walk(prompts->next_prompt());  // warms the caches
  return *prompts;
}

template <class Cache, class Walked>
void walk_prompts(benchmark::State& state, CachedPrompts<Cache>& prompts, const Walked& walked) {
  for (auto _ : state) {
    const Request& prompt = prompts.next_prompt();
    read(prompt);
    measure_manually(state, [&] { benchmark::DoNotOptimize(walked.walk(prompt)); });
  }
}

template <class Cache>
void find_prompt(benchmark::State& state, std::size_t num_blocks) {
  auto& prompts = cached_prompts<Cache>(num_blocks);
  rows().answer(static_cast<double>(prompts.cache().walk(prompts.next_prompt()).size()));
  walk_prompts(state, prompts, prompts.cache());
}

void read_lines(benchmark::State& state, std::size_t num_blocks) {
  walk_prompts(state, cached_prompts<HashOnly>(num_blocks), ThreeLines(num_blocks));
}

template <class Cache>
void replace_prompt(benchmark::State& state, std::size_t num_blocks) {
  auto& prompts = cached_prompts<Cache>(num_blocks);
  for (auto _ : state) {
    const Request& prompt = prompts.replace_next_prompt();
    read(prompt);
    measure_manually(state, [&] {
      for (KVCacheBlock* block : prompts.table()) prompts.cache().evict(*block);
      prompts.cache().insert(prompt, prompts.table(), 0, kPromptBlocks);
    });
  }
  rows().answer(static_cast<double>(prompts.cache().walk(prompts.next_prompt()).size()));
}

template <class Cache>
void add(Name peer) {
  for (const std::size_t size : kSizes) {
    const auto find = [size](benchmark::State& state) { find_prompt<Cache>(state, size); };
    const auto replace = [size](benchmark::State& state) { replace_prompt<Cache>(state, size); };
    add_row(kFinding, peer, size, find, Timer::kByHand);
    add_row(kReplacing, peer, size, replace, Timer::kByHand);
  }
}

}  // namespace kv::bench

int main(int argc, char** argv) {
  using namespace kv::bench;
  add_row(kHashing, kOurHash, kPromptBlocks, hash_prompt, Timer::kByHand);
  add_row(kHashing, kBareHash, kPromptBlocks, hash_bare);
  add_row(kHashing, kWidened, kPromptBlocks, hash_widened);
  for (const std::size_t size : kSizes) {
    const auto limit = [size](benchmark::State& state) { read_lines(state, size); };
    add_row(kFinding, kLimit, size, limit, Timer::kByHand);
  }
  add<AheadPool>(kAhead);
  add<PlainPool>(kPlain);
  add<HashOnly>(kHashOnly);
  RatioTable table({kHashing, kFinding, kReplacing}, kGoals);
  return run_in_turns(argc, argv, table);
}

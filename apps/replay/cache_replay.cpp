#include "apps/replay/cache_replay.h"

#include <algorithm>
#include <optional>
#include <string>

#include "04-kv-cache-manager/bench/processor_time.h"
#include "04-kv-cache-manager/kv_cache_manager.h"
#include "apps/replay/progress.h"
#include "apps/replay/trace.h"
#include "kv/require.h"
#include "reference/cache_replay_oracle.h"

namespace kv::replay {
namespace {

// The blocks that a prompt is asked for: those of all its tokens but the last.
std::size_t num_asked(const Request& prompt) {
  return (prompt.token_ids.size() - 1) / prompt.block_size;
}

// One prompt from its beginning to its end. The blocks that are found; nullopt: it does not fit.
std::optional<std::size_t> replay_one(KVCacheManager& manager, const Request& prompt) {
  const ComputedBlocks found = manager.get_computed_blocks(prompt);
  const std::size_t num_blocks = num_asked(prompt), num_found = found.blocks.size();
  if (num_found > num_blocks)
    throw ReplayError("get_computed_blocks finds " + std::to_string(num_found) + " blocks for " +
                      prompt.request_id + ", which has " + std::to_string(num_blocks));
  if (num_found == num_blocks) {  // Nothing is left to allocate, which allocate_slots refuses.
    manager.block_pool().touch(found.blocks);
    manager.block_pool().free_blocks(std::vector(found.blocks.rbegin(), found.blocks.rend()));
  } else {
    const std::size_t num_new_tokens = (num_blocks - num_found) * prompt.block_size;
    if (!manager.allocate_slots(prompt, num_new_tokens, {.new_computed_blocks = found.blocks}))
      return std::nullopt;
    manager.free(prompt);
  }
  return num_found;
}

// num_hits: blocks that were found for the prompt; nullopt: it does not fit.
void count(const Prompt& prompt,
           std::optional<std::size_t> num_hits,
           bool is_warm,
           CacheReplay& result) {
  result.num_blocks += num_asked(prompt.whole);
  result.num_hits += num_hits.value_or(0);
  result.num_unfit += num_hits ? 0 : 1;
  if (!is_warm) return;
  result.num_tokens_when_warm += prompt.num_tokens;
  result.num_hits_when_warm +=
      std::min(prompt.num_tokens, num_hits.value_or(0) * prompt.whole.block_size);
}

bool is_warm(std::size_t index, std::size_t num_prompts) {
  return index >= num_prompts / 2;
}

// What was cached in the replay is in the pool still, or was evicted.
std::size_t num_evicted(KVCacheManager& manager, std::size_t num_sealed) {
  const auto is_cached = [](const KVCacheBlock& block) { return block.block_hash.has_value(); };
  const auto num_cached = std::ranges::count_if(manager.block_pool().blocks(), is_cached);
  return num_sealed - std::min(num_sealed, static_cast<std::size_t>(num_cached));
}

template <bool kComparesTokens>
CacheReplay replay_oracle(const std::vector<Prompt>& prompts,
                          std::size_t capacity,
                          Progress& progress) {
  oracle::CacheReplayOracle<kComparesTokens> cache(capacity);
  CacheReplay result{.capacity = capacity};
  const ThreadTimer timer;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    const Request& prompt = prompts[i].whole;
    const auto num_hits = cache.replay(std::span(prompt.block_hashes).first(num_asked(prompt)),
                                       prompt.token_ids, prompt.block_size);
    count(prompts[i], num_hits, is_warm(i, prompts.size()), result);
    progress.step();
  }
  result.seconds = timer.seconds();
  result.num_evictions = cache.num_evictions();
  return result;
}

}  // namespace

std::vector<Prompt> whole_prompts(const Trace& trace,
                                  std::size_t block_size,
                                  std::size_t num_threads) {
  std::vector<Prompt> prompts(trace.requests.size());
  in_parallel(prompts.size(), num_threads, [&](std::size_t i) {
    prompts[i] = {whole_prompt_of(trace, i, block_size), trace.requests[i].input_length};
  });
  return prompts;
}

CacheReplay replay_manager(const std::vector<Prompt>& prompts,
                           std::size_t capacity,
                           Rules rules,
                           Progress& progress) {
  std::size_t longest = 0;
  for (const Prompt& prompt : prompts) longest = std::max(longest, prompt.whole.token_ids.size());
  KVCacheManager manager(capacity + 1, prompts.front().whole.block_size, longest, true, rules);
  CacheReplay result{.capacity = capacity};
  const ThreadTimer timer;
  std::size_t num_sealed = 0;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    const Request& prompt = prompts[i].whole;
    try {
      const auto num_hits = replay_one(manager, prompt);
      count(prompts[i], num_hits, is_warm(i, prompts.size()), result);
      if (num_hits) num_sealed += num_asked(prompt) - *num_hits;
    } catch (const ContractViolation& refused) {
      throw ReplayError("the manager refuses a call for " + prompt.request_id +
                        ", which is right: " + refused.what());
    }
    progress.step();
  }
  result.seconds = timer.seconds();
  const std::size_t num_free = manager.block_pool().get_num_free_blocks();
  if (num_free != capacity)
    throw ReplayError(std::to_string(capacity - num_free) +
                      " blocks are in use when all requests have been freed");
  result.num_evictions = num_evicted(manager, num_sealed);
  return result;
}

CacheReplay replay_oracle(const std::vector<Prompt>& prompts,
                          std::size_t capacity,
                          bool compares_tokens,
                          Progress& progress) {
  return compares_tokens ? replay_oracle<true>(prompts, capacity, progress)
                         : replay_oracle<false>(prompts, capacity, progress);
}

}  // namespace kv::replay

#pragma once
// A pool that gets the calls of a recording of vLLM 0.33 (reference/golden/block_steps.h).

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "02-block-pool/tests/recorded_pool_state.h"
#include "reference/golden/block_steps.h"

namespace kv::grader {

// A request whose blocks have these hashes in the recording: the tokens of each are its number.
inline Request request_of_numbers(const Words& numbers, std::size_t block_size) {
  Request request{.request_id = "r", .block_size = block_size, .token_ids = {}};
  for (const std::string& number : numbers)
    request.token_ids.insert(request.token_ids.end(), block_size, std::stoi(number));
  update_block_hashes(request);
  return request;
}

// Gives the block that holds the whole request; nullptr if none does.
inline KVCacheBlock* block_cached_for(const BlockPool& pool, const Request& request) {
  std::optional<PrefixId> prefix;
  for (std::size_t i = 0; i < request.num_full_blocks(); ++i) {
    prefix = pool.prefix_table().find(request.block_hashes[i], content_of(request, i, prefix));
    if (!prefix) return nullptr;
  }
  return pool.get_cached_block(*prefix);
}

class PoolReplay {
 public:
  explicit PoolReplay(const Words& sizes)
      : pool_(std::stoul(sizes.at(2)),
              sizes.at(4) == "1",
              EvictionOrder::kUnhashedFirst,
              std::stoul(sizes.at(3))) {
    pool_.raw().enable_kv_cache_events();
  }

  void line(const std::string& line) {
    const Words parts = split_at(line, '|');
    call(words_of(parts[0]));
    for (std::size_t i = 1; i < parts.size(); ++i) state_.read(parts[i]);
    state_.expect(pool_);
  }

 private:
  void call(const Words& words) {
    const auto ids = [&] { return ids_in(words.at(1)); };
    if (words[0] == "new") pool_.expect_new_blocks(std::stoul(words.at(1)), given_in(words.at(2)));
    if (words[0] == "touch") pool_.touch(ids());
    if (words[0] == "free") pool_.free_blocks(ids());
    if (words[0] == "cache") cache(words);
    if (words[0] == "lookup") lookup(words);
    if (words[0] == "evict") evict(ids());
    if (words[0] == "reset") reset(words.at(1) == "1");
  }

  Request request_of(const std::string& hashes) {
    const Words numbers = numbers_in(hashes);
    const Request request = request_of_numbers(numbers, pool_.raw().block_size());
    state_.name(request.block_hashes, numbers);
    return request;
  }

  void cache(const Words& words) {
    const Request request = request_of(words.at(4));
    const std::size_t num_cached = std::stoul(words.at(2)), num_full = std::stoul(words.at(3));
    const Ids table = ids_in(words.at(1));
    log_step({"cache_full_blocks(table, num_cached_blocks, num_full_blocks)",
              "cache_full_blocks, table {0}, from {1} to {2}"},
             Blocks{table}, num_cached, num_full);
    pool_.raw().cache_full_blocks(request, blocks_of(pool_.raw(), table), num_cached, num_full);
    log_pool_return(pool_.raw());
  }

  void lookup(const Words& words) {
    const Request request = request_of(words.at(1));
    log_step({"get_cached_block(tokens)", "get_cached_block of {0}"}, request.token_ids);
    const std::string yours =
        draw_block(block_cached_for(pool_.raw(), request), pool_.raw().blocks());
    log_pool_return(pool_.raw(), yours);
    const std::string expected = words.at(2) == "none" ? "nullptr" : "#" + words.at(2);
    expect_same("get_cached_block to give", expected, yours);
  }

  void evict(const Ids& ids) {
    log_step({"evict_blocks(blocks)", "evict_blocks({0})"}, Blocks{ids});
    pool_.raw().evict_blocks(ids);
    log_pool_return(pool_.raw());
  }

  void reset(bool expected) {
    log_step({"reset_prefix_cache()", "reset_prefix_cache()"});
    const bool is_reset = pool_.raw().reset_prefix_cache();
    log_pool_return(pool_.raw(), is_reset);
    expect_same("reset_prefix_cache to give", expected, is_reset);
  }

  RecordedPool pool_;
  RecordedPoolState state_;
};

inline void expect_recorded_pool() {
  expect_recorded({"pool_steps_0_33.inc", golden::kPoolSteps033},
                  [](const Words& sizes) { return std::make_unique<PoolReplay>(sizes); });
}

}  // namespace kv::grader

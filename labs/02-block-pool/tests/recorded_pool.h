#pragma once
// A pool that records each call and the state after it, and names blocks by id.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "02-block-pool/tests/pool_view.h"
#include "02-block-pool/tests/router_view.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"
#include "grader/harness/near.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

struct PoolState {
  Ids free;
  std::vector<std::int64_t> ref_counts;
  Ids cached;
  std::vector<BlockHash> hashes;  // hashes of the cached blocks

  friend bool operator==(const PoolState&, const PoolState&) = default;
};

// What a refused call must not change. The number stands beside the blocks, because a body may keep
// a count of its own.
struct KeptByRefusal {
  PoolState blocks;
  std::size_t num_free;
};

inline PoolState state_of(BlockPool& pool) {
  const LookingBy looking_by("get_all_free_blocks()");
  PoolState state{free_ids(pool), ref_counts(pool), cached_ids(pool), {}};
  for (const KVCacheBlock& block : pool.blocks()) {
    if (block.block_hash) state.hashes.push_back(*block.block_hash);
  }
  return state;
}

// "free [3 4], used [1:1 2:2], cached [2]"
inline std::string draw(const PoolState& state) {
  std::string used;
  for (const std::string& block : used_blocks(state.ref_counts)) {
    used += (used.empty() ? "" : " ") + block;
  }
  return "free " + draw(state.free) + ", used [" + used + "], cached " + draw(state.cached);
}

inline std::string draw_pool(BlockPool& pool) {
  return draw(state_of(pool));
}

inline void log_pool_state(const PoolState& state) {
  log_state("free", state.free);
  log_state("used", RefCounts{state.ref_counts});
  log_state("cached", state.cached);
  log_detail("hashes", Hashes{state.hashes});
}

// Records what a call gave. Why the state first: looking at it may crash, and then the call has no
// result.
template <class... Result>
void log_pool_return(BlockPool& pool, const Result&... result) {
  if (!is_recording()) return;
  if (!may_look()) return log_result_only(result...);
  const PoolState state = state_of(pool);
  log_result(result...);
  log_pool_state(state);
}

// What tests expect of a pool, whatever drives it.
class PoolExpectations {
 public:
  virtual ~PoolExpectations() = default;
  virtual BlockPool& pool() = 0;

  KVCacheBlock& block(BlockId id) { return pool().blocks()[static_cast<std::size_t>(id)]; }

  void audit() {
    log_expectation({"invariants()", "", "audit()"});
    if (const auto broken = broken_pool_invariant(pool())) {
      ADD_FAILURE() << "broken invariant " << *broken;
    }
  }

  void expect_free(const Ids& expected) {
    log_expectation({"free(blocks)", "", "expect_free({0})"}, expected);
    expect_same("free", expected, free_ids(pool()));
  }

  void expect_cached(const Ids& expected) {
    log_expectation({"cached(blocks)", "", "expect_cached({0})"}, expected);
    expect_same("cached", expected, cached_ids(pool()));
  }

  // The tokens of `request` are found in these blocks. why: "#1 was claimed".
  void expect_longest_hit(const Request& request, const Ids& expected, const char* why) {
    log_step({"find_longest_cache_hit(max_num_tokens)", "find_longest_cache_hit"},
             request.token_ids.size());
    const auto hit = pool().find_longest_cache_hit(request, request.token_ids.size());
    log_pool_return(pool(), ids_of(hit));
    EXPECT_SAME(ids_of(hit), expected) << why;
  }

  // Why: a prefix that no cached block holds leads to a block with another text.
  void expect_num_prefixes(std::size_t expected) {
    const std::size_t num_prefixes = pool().prefix_table().size();
    if (num_prefixes == expected) return;
    log_expectation({"num_prefixes(number)", "", "expect_num_prefixes({0})"}, expected);
    ADD_FAILURE() << "expected prefix_table() to hold " << expected << ", yours holds "
                  << num_prefixes;
  }

  void expect_ref_cnt(BlockId id, std::int32_t expected) {
    if (block(id).ref_cnt == expected) return;
    log_expectation({"ref_cnt(block, number)", "", "expect_ref_cnt({0}, {1})"}, Block{id},
                    expected);
    ADD_FAILURE() << "expected #" << id << " to have ref_cnt " << expected << ", yours has "
                  << block(id).ref_cnt;
  }

  // Step 3.18, of a pool whose events were on from the beginning.
  void expect_events_agree() {
    log_expectation({"events()", "", "expect_events_agree()"});
    router_.expect_agrees(pool());
  }

  void expect_usage(std::size_t num_used) {
    // One division and one subtraction round, so a few units in the last place.
    constexpr double kTolerance = sum_tolerance<double>(2);
    const std::size_t num_usable = pool().blocks().size() - 1;
    const double expected =
        num_usable == 0 ? 0 : static_cast<double>(num_used) / static_cast<double>(num_usable);
    const double usage = pool().get_usage();
    if (near(usage, expected, kTolerance)) return;
    log_expectation({"usage(num_used)", "", "expect_usage({0})"}, num_used);
    ADD_FAILURE() << "get_usage() should be " << expected << ", yours is " << usage;
  }

  // For expect_refused.
  KeptByRefusal state() { return {state_of(pool()), pool().get_num_free_blocks()}; }
  void log(const KeptByRefusal& state) { log_pool_state(state.blocks); }
  void expect_unchanged(const KeptByRefusal& before) {
    const auto [blocks, num_free] = state();
    EXPECT_HOLDS(blocks == before.blocks)
        << "the refused call changed\n  " << draw(before.blocks) << " to\n  " << draw(blocks);
    EXPECT_SAME(num_free, before.num_free) << "get_num_free_blocks() after the refused call";
  }

 private:
  RouterView router_;
};

class RecordedPool : public PoolExpectations {
 public:
  explicit RecordedPool(std::size_t num_gpu_blocks,
                        bool enable_caching = true,
                        EvictionOrder order = EvictionOrder::kFreedFirst,
                        std::size_t block_size = 4)
      : pool_(num_gpu_blocks, block_size, enable_caching, order) {
    if (!is_recording()) return;
    const bool is_unhashed_first = order == EvictionOrder::kUnhashedFirst;
    log_start(
        "pool",
        {"BlockPool(num_gpu_blocks, block_size)",
         is_unhashed_first ? "BlockPool({0}, {1}), kUnhashedFirst" : "",
         is_unhashed_first ? "RecordedPool pool({0}, {2}, EvictionOrder::kUnhashedFirst, {1});"
                           : "RecordedPool pool({0});"},
        num_gpu_blocks, block_size, enable_caching);
    log_pool_state(state_of(pool_));
  }

  BlockPool& raw() { return pool_; }
  BlockPool& pool() override { return pool_; }

  std::optional<Ids> get_new_blocks(std::size_t num_blocks) {
    log_step({"get_new_blocks(num_blocks)", "get_new_blocks({0})"}, num_blocks);
    return new_blocks(num_blocks);
  }

  void expect_new_blocks(std::size_t num_blocks, const std::optional<Ids>& expected) {
    log_step({"get_new_blocks(num_blocks)", "get_new_blocks({0})", "expect_new_blocks({0}, {=})"},
             num_blocks);
    log_expected_result(expected);
    const auto given = new_blocks(num_blocks);
    expect_given(expected, given);
  }

  void touch(const Ids& ids) {
    log_step({"touch(blocks)", "touch({0})", "touch({0})"}, Blocks{ids});
    const auto listed = blocks_of(pool_, ids);
    pool_.touch(listed);
    log_pool_return(pool_);
    expect_list_unchanged(listed, ids);
  }

  void free_blocks(const Ids& ids) {
    log_step({"free_blocks(blocks)", "free_blocks({0})", "free_blocks({0})"}, Blocks{ids});
    const auto listed = blocks_of(pool_, ids);
    pool_.free_blocks(listed);
    log_pool_return(pool_);
    expect_list_unchanged(listed, ids);
  }

  // Whether a request with the tokens under which seal cached a block is given this block.
  void expect_found(BlockId id, bool expected) {
    const Ids found =
        ids_of(pool_.find_longest_cache_hit(request_of_block(pool_, id), pool_.block_size()));
    const Ids ids = expected ? Ids{id} : Ids{};
    expect_same("a request with the old tokens of #" + std::to_string(id) + " to find", ids, found);
  }

  // What lab 03 does when the block is full.
  void seal(BlockId id) {
    log_step({"cache_full_blocks(block)", "{0} is full and cached", "seal({0})"}, Block{id});
    seal_alone(pool_, id);
    sealed_[id] = fields_of_lab_03(id);
    log_pool_return(pool_);
  }
  bool is_sealed(BlockId id) { return block(id).block_hash.has_value(); }

  // Lab 02 writes neither the hash nor the prefix of a block, nor its place among the duplicates.
  void expect_sealed_as_before(BlockId id) {
    if (fields_of_lab_03(id) == sealed_[id]) return;
    log_expectation({"sealed_as_before(block)", "", "expect_sealed_as_before({0})"}, Block{id});
    ADD_FAILURE() << "block_hash, prefix_id and next_same_prefix are written by lab 03 only, but "
                     "one of them has changed in #"
                  << id;
  }

  // Gives the fields that only lab 03 writes values, in blocks without a hash.
  void mark(const Ids& ids) {
    for (const BlockId id : ids) {
      block(id).prefix_id = kMark;
      block(id).next_same_prefix = &block(0);
    }
  }
  void expect_marked(const Ids& ids) {
    for (const BlockId id : ids) {
      if (block(id).prefix_id == kMark && block(id).next_same_prefix == &block(0)) continue;
      ADD_FAILURE() << "prefix_id and next_same_prefix are written by lab 03 only, but one of them "
                       "has changed in #"
                    << id;
    }
  }

 private:
  static constexpr PrefixId kMark = 77;

  using SealedAs = std::tuple<std::optional<BlockHash>, PrefixId, KVCacheBlock*>;

  SealedAs fields_of_lab_03(BlockId id) {
    const KVCacheBlock& it = block(id);
    return {it.block_hash, it.prefix_id, it.next_same_prefix};
  }

  void expect_list_unchanged(const std::vector<KVCacheBlock*>& listed, const Ids& ids) {
    EXPECT_HOLDS(listed == blocks_of(pool_, ids))
        << "the call takes a span of const: the list is its caller's";
  }

  std::optional<Ids> new_blocks(std::size_t num_blocks) {
    const auto blocks = pool_.get_new_blocks(num_blocks);
    const auto ids = blocks ? std::optional(ids_of(*blocks)) : std::nullopt;
    log_pool_return(pool_, ids);
    return ids;
  }

  BlockPool pool_;
  std::map<BlockId, SealedAs> sealed_;
};

}  // namespace kv::grader

#pragma once
// A BlockManager that records each call and the state after it, and names blocks by id and
// sequences by name.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "03-block-hashing/tests/engine_fixture.h"
#include "04-kv-cache-manager/block_manager.h"
#include "04-kv-cache-manager/tests/manager_state.h"

namespace kv::grader {

// A heading of the README, for all steps of this class; NANO_VLLM.md has the steps.
inline constexpr const char* kBlockManager = "4.13 to 4.20 BlockManager";

struct BlockManagerState {
  ManagerState blocks;
  std::map<std::string, std::size_t> num_computed;  // tokens of each sequence

  friend bool operator==(const BlockManagerState&, const BlockManagerState&) = default;
};

class RecordedBlockManager {
 public:
  RecordedBlockManager(std::size_t num_blocks, std::size_t block_size)
      : manager_(num_blocks, block_size) {
    log_start("manager",
              {"BlockManager(num_blocks, block_size)", "{0} blocks of {1} tokens",
               "RecordedBlockManager manager({0}, {1});"},
              num_blocks, block_size);
    if (is_recording()) log(state());
  }

  BlockManager& raw() { return manager_; }
  Sequence& sequence(const std::string& name) { return sequences_.at(name); }
  const KVCacheBlock& block(BlockId id) const {
    return manager_.blocks()[static_cast<std::size_t>(id)];
  }

  // A sequence with these tokens, hashed; it has no blocks yet.
  void admit(const std::string& name, const Tokens& token_ids, const std::string& salt = "") {
    Request request{.request_id = name,
                    .block_size = manager_.block_size(),
                    .token_ids = token_ids,
                    .cache_salt = salt};
    log_step({"add(sequence, token_ids)", "sequence {0} with tokens {1}" + describe_extras(request),
              salt.empty() ? "admit({0}, {1})" : "admit({0}, {1}, \"" + salt + "\")"},
             name, token_ids);
    update_block_hashes(request);
    sequences_.insert_or_assign(name, Sequence{std::move(request)});
    log_return();
  }
  void append(const std::string& name, const Tokens& token_ids) {
    log_step({"append_token(sequence, token_ids)", "{0} gets tokens {1}", "append({0}, {1})"}, name,
             token_ids);
    append_output_token_ids(sequence(name).request, token_ids);
    log_return();
  }

  // expected: the block; nullopt: nullptr.
  void expect_block(const std::optional<BlockId>& expected) {
    log_step({"allocate_block()", "allocate_block()", "expect_block({=})"});
    log_expected_result(Block{expected});
    const KVCacheBlock* block = manager_.allocate_block();
    log_return();
    EXPECT_SAME(draw_block(block, manager_.blocks()),
                expected ? "#" + std::to_string(*expected) : "nullptr")
        << "the block that allocate_block gives";
  }
  void expect_can_append(const std::string& name, bool expected) {
    log_step({"can_append(sequence)", "can_append({0})", "expect_can_append({0}, {=})"}, name);
    log_expected_result(expected);
    const bool can = manager_.can_append(sequence(name));
    log_return(can);
    expect_same("can_append(" + name + ") to give", expected, can);
  }
  void expect_may_append(const std::string& name, bool expected) {
    log_step({"may_append(sequence)", "may_append({0})", "expect_may_append({0}, {=})"}, name);
    log_expected_result(expected);
    const auto before = state_to_compare();
    const bool is_given = manager_.may_append(sequence(name));
    log_return(is_given);
    expect_same("may_append(" + name + ") to give", expected, is_given);
    if (!expected && before) expect_unchanged(*before);
  }
  void deallocate(const std::string& name) {
    log_step({"deallocate(sequence)", "deallocate({0})", "deallocate({0})"}, name);
    manager_.deallocate(sequence(name));
    log_return();
  }
  // The model has computed the next tokens of the sequence.
  void hash(const std::string& name, std::size_t num_tokens) {
    log_step({"hash_blocks(sequence, num_scheduled_tokens)",
              "{1} tokens of {0} are computed, hash_blocks({0}, {1})", "hash({0}, {1})"},
             name, num_tokens);
    manager_.hash_blocks(sequence(name), num_tokens);
    sequence(name).request.num_computed_tokens += num_tokens;
    log_return();
  }
  void expect_hash_refused(const std::string& name, std::size_t num_tokens, const char* why) {
    log_step({"hash_blocks(sequence, num_scheduled_tokens)", "hash_blocks({0}, {1})",
              std::string("expect_hash_refused({0}, {1}, \"") + why + "\")"},
             name, num_tokens);
    expect_refused(*this, why, [&] { manager_.hash_blocks(sequence(name), num_tokens); });
  }
  void expect_found(const std::string& name, const Ids& expected) {
    log_step({"get_cached_blocks(request)", "get_cached_blocks({0})"}, name);
    const auto before = state_to_compare();
    const Ids found = ids_of(manager_.get_cached_blocks(sequence(name).request));
    log_return(found);
    expect_same("get_cached_blocks(" + name + ") to give", expected, found);
    if (before) expect_unchanged(*before);
  }
  // expected: the number of hits; nullopt: there is no room.
  void expect_can_allocate(const std::string& name, const std::optional<std::size_t>& expected) {
    log_step({"can_allocate(sequence)", "can_allocate({0})",
              "expect_can_allocate({0}, " +
                  (expected ? std::to_string(*expected) : std::string("std::nullopt")) + ")"},
             name);
    const auto before = state_to_compare();
    const auto num_hits = manager_.can_allocate(sequence(name));
    log_return();
    expect_same("can_allocate(" + name + ") to give", expected, num_hits);
    if (before) expect_unchanged(*before);
  }
  void expect_allocated(const std::string& name, std::size_t num_hits, bool expected = true) {
    log_step({"allocate(sequence, num_cached_blocks)", "allocate({0}, {1})",
              "expect_allocated({0}, {1}, {=})"},
             name, num_hits);
    log_expected_result(expected);
    const auto before = state_to_compare();
    const bool is_given = manager_.allocate(sequence(name), num_hits);
    log_return(is_given);
    expect_same("allocate(" + name + ", " + draw(num_hits) + ") to give", expected, is_given);
    if (!expected && before) expect_unchanged(*before);
  }
  void expect_allocation_refused(const std::string& name, std::size_t num_hits, const char* why) {
    log_step({"allocate(sequence, num_cached_blocks)", "allocate({0}, {1})",
              std::string("expect_allocation_refused({0}, {1}, \"") + why + "\")"},
             name, num_hits);
    expect_refused(*this, why, [&] { manager_.allocate(sequence(name), num_hits); });
  }

  // Blocks for all tokens, without a search for hits: for tests of steps before allocate.
  void compute_alone(const std::string& name, const Tokens& token_ids) {
    admit(name, token_ids);
    expect_may_append(name, true);
    hash(name, token_ids.size());
  }

  void expect_table(const std::string& name, const Ids& expected) {
    log_expectation({"table(sequence, blocks)", "", "expect_table({0}, {1})"}, name, expected);
    expect_same("the table of " + name + " to be", expected, ids_of(sequence(name).block_table));
  }
  void expect_computed(const std::string& name, std::size_t expected) {
    if (sequence(name).request.num_computed_tokens != expected)
      log_expectation({"computed(sequence, number)", "", "expect_computed({0}, {1})"}, name,
                      expected);
    EXPECT_SAME(sequence(name).request.num_computed_tokens, expected)
        << "num_computed_tokens of " << name;
  }
  void expect_free(const Ids& expected) {
    log_expectation({"free(blocks)", "", "expect_free({0})"}, expected);
    expect_same("free", expected, ids_of(manager_.free_blocks().get_all_free_blocks()));
  }
  void expect_cached(const Ids& expected) {
    log_expectation({"cached(blocks)", "", "expect_cached({0})"}, expected);
    expect_same("cached", expected, state().blocks.pool.cached);
  }
  void expect_num_prefixes(std::size_t expected) {
    if (manager_.prefix_table().size() != expected)
      log_expectation({"num_prefixes(number)", "", "expect_num_prefixes({0})"}, expected);
    EXPECT_SAME(manager_.prefix_table().size(), expected) << "prefixes in the prefix table";
  }

  // I1, I2 and I12 on every block.
  void audit() const {
    const Ids free = ids_of(manager_.free_blocks().get_all_free_blocks());
    for (std::size_t i = 0; i < manager_.blocks().size(); ++i) {
      const KVCacheBlock& block = manager_.blocks()[i];
      std::int32_t num_users = 0;
      for (const auto& [name, sequence] : sequences_)
        num_users += static_cast<std::int32_t>(std::ranges::count(sequence.block_table, &block));
      const auto num_queued = std::ranges::count(free, static_cast<BlockId>(i));
      EXPECT_HOLDS(block.block_id == static_cast<BlockId>(i))
          << "broken invariant I2: a block id is stable, but #" << i << " changed";
      EXPECT_HOLDS(block.ref_cnt == num_users)
          << "broken invariant I12: #" << i << " is in " << num_users
          << " block tables and has ref_cnt " << block.ref_cnt;
      EXPECT_HOLDS(num_queued == (num_users == 0 ? 1 : 0))
          << "broken invariant I1: #" << i << " has " << num_users << " users and is in the queue "
          << num_queued << " times";
    }
  }

  // For expect_refused.
  BlockManagerState state() const {
    BlockManagerState state;
    PoolState& pool = state.blocks.pool;
    pool.free = ids_of(manager_.free_blocks().get_all_free_blocks());
    for (const KVCacheBlock& block : manager_.blocks()) {
      if (block.ref_cnt != 0)
        pool.ref_counts.insert(pool.ref_counts.end(), {block.block_id, block.ref_cnt});
      if (!block.block_hash) continue;
      pool.cached.push_back(block.block_id);
      pool.hashes.push_back(*block.block_hash);
    }
    for (const auto& [name, sequence] : sequences_) {
      if (!sequence.block_table.empty()) state.blocks.tables[name] = ids_of(sequence.block_table);
      state.num_computed[name] = sequence.request.num_computed_tokens;
    }
    return state;
  }
  void log(const BlockManagerState& state) const {
    log_pool_state(state.blocks.pool);
    for (const auto& [name, ids] : state.blocks.tables) log_detail("block_tables." + name, ids);
  }
  void expect_unchanged(const BlockManagerState& before) const {
    const BlockManagerState after = state();
    if (after == before) return;
    ADD_FAILURE() << "the call changed\n  " << draw(before.blocks) << " to\n  "
                  << draw(after.blocks);
  }

 private:
  std::optional<BlockManagerState> state_to_compare() const {
    return may_look() ? std::optional(state()) : std::nullopt;
  }
  template <class... Result>
  void log_return(const Result&... result) const {
    if (!is_recording()) return;
    log_result_only(result...);
    if (may_look()) log(state());
  }

  BlockManager manager_;
  std::map<std::string, Sequence> sequences_;
};

}  // namespace kv::grader

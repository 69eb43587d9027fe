#pragma once
// A pool that tells each call and the state after it, and speaks of blocks by id.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "02-block-pool/tests/block_pool_audit.h"
#include "grader/harness/draw.h"
#include "grader/harness/test_log.h"
#include "kv/require.h"

namespace kv::grader {

// "free [3 4], used [1:1 2:2], cached [2]"
inline std::string draw_pool(BlockPool& pool) {
  std::string used;
  for (const std::string& block : used_blocks(pool)) used += (used.empty() ? "" : " ") + block;
  return "free " + draw(free_ids(pool)) + ", used [" + used + "], cached " + draw(cached_ids(pool));
}

// For the story alone.
inline std::string recorded_state(BlockPool& pool) {
  return is_recording() ? draw_pool(pool) : "";
}

class RecordedPool {
 public:
  explicit RecordedPool(std::size_t num_gpu_blocks, bool enable_caching = true)
      : pool_(num_gpu_blocks, 4, enable_caching) {
    log_start(draw_pool(pool_), "RecordedPool pool(" + std::to_string(num_gpu_blocks) +
                                    (enable_caching ? ");" : ", false);"));
  }

  BlockPool& raw() { return pool_; }
  KVCacheBlock& block(BlockId id) { return pool_.blocks()[static_cast<std::size_t>(id)]; }

  std::optional<Ids> get_new_blocks(std::size_t num_blocks, const std::string& code = "") {
    log_step("get_new_blocks(" + std::to_string(num_blocks) + ")", code);
    const auto blocks = pool_.get_new_blocks(num_blocks);
    log_result((blocks ? draw(ids_of(*blocks)) : "nullopt") + ", " + recorded_state(pool_));
    if (!blocks) return std::nullopt;
    return ids_of(*blocks);
  }

  void expect_new_blocks(std::size_t num_blocks, const std::optional<Ids>& expected) {
    const auto name = [](const std::optional<Ids>& ids) { return ids ? draw(*ids) : "nullopt"; };
    const std::string wanted = expected ? "Ids" + code_of(*expected) : "std::nullopt";
    const std::string num = std::to_string(num_blocks);
    const auto given =
        get_new_blocks(num_blocks, "pool.expect_new_blocks(" + num + ", " + wanted + ");");
    if (given == expected) return;
    ADD_FAILURE() << "get_new_blocks(" << num << ") should give " << name(expected)
                  << ", yours gave " << name(given);
  }

  void touch(const Ids& ids) {
    log_step("touch(" + draw_blocks(ids) + ")", "pool.touch(" + code_of(ids) + ");");
    pool_.touch(blocks_of(pool_, ids));
    log_result(recorded_state(pool_));
  }

  void free_blocks(const Ids& ids) {
    log_step("free_blocks(" + draw_blocks(ids) + ")", "pool.free_blocks(" + code_of(ids) + ");");
    pool_.free_blocks(blocks_of(pool_, ids));
    log_result(recorded_state(pool_));
  }

  // What lab 03 does when the block is full.
  void seal(BlockId id) {
    log_step("#" + std::to_string(id) + " is full and cached",
             "pool.seal(" + std::to_string(id) + ");");
    seal_alone(pool_, id);
    log_result(recorded_state(pool_));
  }

  void audit() {
    log_expectation("pool.audit();");
    if (const auto broken = broken_pool_invariant(pool_))
      ADD_FAILURE() << "broken invariant " << *broken;
  }

  void expect_free(const Ids& expected) {
    log_expectation([&] { return "pool.expect_free(" + code_of(expected) + ");"; });
    if (free_ids(pool_) == expected) return;
    ADD_FAILURE() << "expected free " << draw(expected) << ", yours is " << draw(free_ids(pool_));
  }

  void expect_cached(const Ids& expected) {
    log_expectation([&] { return "pool.expect_cached(" + code_of(expected) + ");"; });
    const Ids cached = cached_ids(pool_);
    if (cached == expected) return;
    ADD_FAILURE() << "expected cached " << draw(expected) << ", yours is " << draw(cached);
  }

  void expect_ref_cnt(BlockId id, std::int32_t expected) {
    if (block(id).ref_cnt == expected) return;
    ADD_FAILURE() << "expected #" << id << " to have ref_cnt " << expected << ", yours has "
                  << block(id).ref_cnt;
  }

 private:
  BlockPool pool_;
};

// The call has to throw ContractViolation and to leave the pool as it was.
template <class Call>
void expect_refused(RecordedPool& pool, std::string_view why, Call call) {
  const std::string before = draw_pool(pool.raw());
  try {
    call();
    ADD_FAILURE() << "expected the call to be refused (" << why << "), yours went through";
    return;
  } catch (const ContractViolation&) {
    log_result("refused; " + draw_pool(pool.raw()));
  }
  const std::string after = draw_pool(pool.raw());
  if (after != before)
    ADD_FAILURE() << "the refused call changed\n  " << before << " to\n  " << after;
}

}  // namespace kv::grader

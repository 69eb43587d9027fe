#pragma once
// A queue over blocks 0, 1, 2, ... that records each call and the state after it, and names blocks
// by id. What the tests are written with.

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "01-free-queue/compact_free_queue.h"
#include "01-free-queue/tests/block_ids.h"
#include "01-free-queue/tests/free_queue_audit.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

template <class Queue>
inline constexpr const char* kQueueName = "FreeKVCacheBlockQueue";
template <>
inline constexpr const char* kQueueName<CompactFreeQueue> = "CompactFreeQueue";

inline std::vector<KVCacheBlock> numbered_blocks(std::size_t num_blocks) {
  std::vector<KVCacheBlock> blocks(num_blocks);
  for (std::size_t id = 0; id < num_blocks; ++id)
    blocks[id] = marked_block(static_cast<BlockId>(id));
  return blocks;
}

template <class Queue>
class RecordedQueue {
 public:
  explicit RecordedQueue(std::size_t num_blocks)
      : blocks_(numbered_blocks(num_blocks)), queue_(blocks_) {
    if (!is_recording()) return;
    const std::string name = kQueueName<Queue>;
    const std::string call = name + "(num_blocks)";
    const std::string code = "RecordedQueue<" + name + "> queue({0});";
    log_start("queue", {call, "", code}, num_blocks);
    log(free_ids());
  }

  // A walk that never ends is a failure at once: code that makes it would use up its memory.
  Ids free_ids() const { return ids_of(listed()); }
  KVCacheBlock& block(BlockId id) { return blocks_[static_cast<std::size_t>(id)]; }
  Queue& raw() { return queue_; }

  void remove(BlockId id) {
    log_step({"remove(block)", "remove({0})", "remove({0})"}, Block{id});
    queue_.remove(block(id));
    log_return();
  }
  void append(BlockId id) {
    log_step({"append(block)", "append({0})", "append({0})"}, Block{id});
    queue_.append(block(id));
    log_return();
  }
  void append_n(const Ids& ids) {
    log_step({"append_n(blocks)", "append_n({0})", "append_n({0})"}, Blocks{ids});
    put("append_n", ids, [this](auto blocks) { queue_.append_n(blocks); });
  }
  void prepend_n(const Ids& ids) {
    log_step({"prepend_n(blocks)", "prepend_n({0})", "prepend_n({0})"}, Blocks{ids});
    put("prepend_n", ids, [this](auto blocks) { queue_.prepend_n(blocks); });
  }

  void expect_popleft(std::optional<BlockId> expected) {
    log_step({"popleft()", "popleft()", "expect_popleft({=})"});
    log_expected_result(Block{expected});
    const KVCacheBlock* block = queue_.popleft();
    const auto popped = block ? std::optional(block->block_id) : std::nullopt;
    log_return(Block{popped});
    if (popped == expected) return;
    const auto name = [](std::optional<BlockId> id) {
      return id ? "#" + std::to_string(*id) : std::string("nullptr");
    };
    ADD_FAILURE() << "popleft() should give " << name(expected) << ", yours gave " << name(popped);
  }
  void expect_popleft_n(std::size_t num_blocks, const std::optional<Ids>& expected) {
    log_step({"popleft_n(n)", "popleft_n({0})", "expect_popleft_n({0}, {=})"}, num_blocks);
    log_expected_result(expected);
    const auto blocks = queue_.popleft_n(num_blocks);
    const auto popped = blocks ? std::optional(ids_of(*blocks)) : std::nullopt;
    log_return(popped);
    expect_given(expected, popped);
  }

  // Invariants I5 and I6 over the whole pool.
  void audit() const {
    log_expectation({"invariants()", "", "audit()"});
    listed();
    if (const auto broken = broken_invariant(queue_, blocks_))
      ADD_FAILURE() << "broken invariant " << *broken;
    for (std::size_t id = 0; id < blocks_.size(); ++id) {
      if (!is_marked(blocks_[id], static_cast<BlockId>(id))) {
        ADD_FAILURE()
            << "the queue writes the links of a block and nothing else, but another field "
               "of #"
            << id << " has changed";
      }
    }
  }

  void expect_free(const Ids& expected) const {
    log_expectation({"free(blocks)", "", "expect_free({0})"}, expected);
    expect_same("free", expected, free_ids());
    if (queue_.num_free_blocks() != expected.size()) {
      ADD_FAILURE() << "I5: num_free_blocks() should be " << expected.size() << ", yours is "
                    << queue_.num_free_blocks();
    }
  }

  // For expect_refused.
  Ids state() const { return free_ids(); }
  void log(const Ids& free) const {
    log_state("free", free);
    if (!kHasLinksInBlocks) return;
    const std::string wrong = wrong_prev(listed(), blocks_);
    if (!wrong.empty()) log_state("prev_free_block", wrong);
  }
  void expect_unchanged(const Ids& before) const { expect_free(before); }

 private:
  static constexpr bool kHasLinksInBlocks = std::is_same_v<Queue, FreeKVCacheBlockQueue>;

  void put(const std::string& call,
           const Ids& ids,
           const std::function<void(std::span<KVCacheBlock* const>)>& put_blocks) {
    std::vector<KVCacheBlock*> listed;
    for (const BlockId id : ids) listed.push_back(&block(id));
    const std::vector<KVCacheBlock*> given = listed;
    put_blocks(listed);
    log_return();
    EXPECT_HOLDS(listed == given) << call << " takes a span of const: the list is its caller's";
  }

  std::vector<KVCacheBlock*> listed() const {
    if (const auto walk = kHasLinksInBlocks ? endless_walk(blocks_) : std::nullopt) {
      fail_now("broken invariant " + *walk);
    }
    const LookingBy looking_by("get_all_free_blocks()");
    return queue_.get_all_free_blocks();
  }

  // Why the state first: a walk over broken links may crash, and then the call has no result.
  template <class... Result>
  void log_return(const Result&... result) const {
    if (!is_recording()) return;
    if (!may_look()) return log_result_only(result...);
    const Ids free = free_ids();
    log_result(result...);
    log(free);
  }

  std::vector<KVCacheBlock> blocks_;
  Queue queue_;
};

}  // namespace kv::grader

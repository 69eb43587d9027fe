#pragma once
// A queue over blocks 0, 1, 2, ... that tells each call and the state after it, and speaks of
// blocks by id. What the tests are written with.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "01-free-queue/compact_free_queue.h"
#include "01-free-queue/tests/block_ids.h"
#include "01-free-queue/tests/free_queue_audit.h"
#include "grader/harness/draw.h"
#include "grader/harness/test_log.h"
#include "kv/require.h"

namespace kv::grader {

template <class Queue>
inline constexpr const char* kQueueName = "FreeKVCacheBlockQueue";
template <>
inline constexpr const char* kQueueName<CompactFreeQueue> = "CompactFreeQueue";

inline std::vector<KVCacheBlock> numbered_blocks(std::size_t num_blocks) {
  std::vector<KVCacheBlock> blocks(num_blocks);
  for (std::size_t id = 0; id < num_blocks; ++id) blocks[id].block_id = static_cast<BlockId>(id);
  return blocks;
}

template <class Queue>
class RecordedQueue {
 public:
  explicit RecordedQueue(std::size_t num_blocks)
      : blocks_(numbered_blocks(num_blocks)), queue_(blocks_) {
    log_start(state(), "RecordedQueue<" + std::string(kQueueName<Queue>) + "> queue(" +
                           std::to_string(num_blocks) + ");");
  }

  Ids free_ids() const { return ids_of(queue_.get_all_free_blocks()); }
  KVCacheBlock& block(BlockId id) { return blocks_[static_cast<std::size_t>(id)]; }
  Queue& raw() { return queue_; }

  void remove(BlockId id) {
    record("remove", "#" + std::to_string(id), std::to_string(id));
    queue_.remove(block(id));
    log_result(state());
  }
  void append(BlockId id) {
    record("append", "#" + std::to_string(id), std::to_string(id));
    queue_.append(block(id));
    log_result(state());
  }
  void append_n(const Ids& ids) {
    record("append_n", draw_blocks(ids), code_of(ids));
    std::vector<KVCacheBlock*> listed;
    for (const BlockId id : ids) listed.push_back(&block(id));
    queue_.append_n(listed);
    log_result(state());
  }

  void expect_popleft(std::optional<BlockId> expected) {
    const auto name = [](std::optional<BlockId> id) {
      return id ? "#" + std::to_string(*id) : std::string("nullptr");
    };
    log_step("popleft()", "queue.expect_popleft(" +
                              (expected ? std::to_string(*expected) : "std::nullopt") + ");");
    const KVCacheBlock* block = queue_.popleft();
    const auto popped = block ? std::optional(block->block_id) : std::nullopt;
    log_result(name(popped) + ", " + state());
    if (popped == expected) return;
    ADD_FAILURE() << "popleft() should give " << name(expected) << ", yours gave " << name(popped);
  }
  void expect_popleft_n(std::size_t num_blocks, const std::optional<Ids>& expected) {
    const auto name = [](const std::optional<Ids>& ids) { return ids ? draw(*ids) : "nullopt"; };
    const std::string call = "popleft_n(" + std::to_string(num_blocks) + ")";
    log_step(call, "queue.expect_popleft_n(" + std::to_string(num_blocks) + ", " +
                       (expected ? "Ids" + code_of(*expected) : "std::nullopt") + ");");
    const auto blocks = queue_.popleft_n(num_blocks);
    const auto popped = blocks ? std::optional(ids_of(*blocks)) : std::nullopt;
    log_result(name(popped) + ", " + state());
    if (popped == expected) return;
    ADD_FAILURE() << call << " should give " << name(expected) << ", yours gave " << name(popped);
  }

  // Laws I5 and I6 over the whole pool.
  void audit() const {
    log_expectation("queue.audit();");
    if (const auto broken = broken_invariant(queue_, blocks_))
      ADD_FAILURE() << "broken invariant " << *broken;
  }

  void expect_free(const Ids& expected) const {
    log_expectation([&] { return "queue.expect_free(" + code_of(expected) + ");"; });
    if (free_ids() != expected) {
      ADD_FAILURE() << "expected free " << draw(expected) << ", yours is " << draw(free_ids());
    }
    if (queue_.num_free_blocks() != expected.size()) {
      ADD_FAILURE() << "I5: num_free_blocks() should be " << expected.size() << ", yours is "
                    << queue_.num_free_blocks();
    }
  }

 private:
  static void record(const std::string& name, const std::string& drawn, const std::string& code) {
    log_step(name + "(" + drawn + ")", "queue." + name + "(" + code + ");");
  }

  // For the story alone.
  std::string state() const { return is_recording() ? "free " + draw(free_ids()) : ""; }

  std::vector<KVCacheBlock> blocks_;
  Queue queue_;
};

// The call has to throw ContractViolation and to leave the queue as it was.
template <class Queue, class Call>
void expect_refused(RecordedQueue<Queue>& queue, std::string_view why, Call call) {
  const Ids before = queue.free_ids();
  try {
    call();
    ADD_FAILURE() << "expected the call to be refused (" << why << "), yours went through";
    return;
  } catch (const ContractViolation&) {
    log_result("refused; free " + draw(queue.free_ids()));
  }
  queue.expect_free(before);
}

}  // namespace kv::grader

#pragma once
// A queue over blocks 0, 1, 2, ... that tells each call and the state after it, and speaks of
// blocks by id. What the tests are written with.

#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "01-free-queue/free_queue_audit.h"
#include "grader/harness/draw.h"
#include "grader/harness/story.h"
#include "kv/require.h"

namespace kv::grader {

using Ids = std::vector<BlockId>;

inline std::vector<KVCacheBlock> numbered_blocks(std::size_t num_blocks) {
  std::vector<KVCacheBlock> blocks(num_blocks);
  for (std::size_t id = 0; id < num_blocks; ++id) blocks[id].block_id = static_cast<BlockId>(id);
  return blocks;
}

template <class Queue>
class NarratedQueue {
 public:
  explicit NarratedQueue(std::size_t num_blocks)
      : blocks_(numbered_blocks(num_blocks)), queue_(blocks_) {
    start(state());
  }

  Ids free_ids() const { return ids_of(queue_.get_all_free_blocks()); }
  std::size_t num_free_blocks() const { return queue_.num_free_blocks(); }
  KVCacheBlock& block(BlockId id) { return blocks_[static_cast<std::size_t>(id)]; }
  Queue& bare() { return queue_; }

  void remove(BlockId id) {
    tell("remove", {id}, [&] { queue_.remove(block(id)); });
  }
  void append(BlockId id) {
    tell("append", {id}, [&] { queue_.append(block(id)); });
  }
  std::optional<BlockId> popleft() {
    step("popleft()");
    const KVCacheBlock* popped = queue_.popleft();
    if (popped == nullptr) {
      result("nullptr, " + state());
      return std::nullopt;
    }
    result("#" + std::to_string(popped->block_id) + ", " + state());
    return popped->block_id;
  }
  std::optional<Ids> popleft_n(std::size_t num_blocks) {
    step("popleft_n(" + std::to_string(num_blocks) + ")");
    const auto popped = queue_.popleft_n(num_blocks);
    if (!popped) {
      result("nullopt, " + state());
      return std::nullopt;
    }
    result(draw(ids_of(*popped)) + ", " + state());
    return ids_of(*popped);
  }
  void append_n(const Ids& ids) {
    std::vector<KVCacheBlock*> listed;
    for (const BlockId id : ids) listed.push_back(&block(id));
    tell("append_n", ids, [&] { queue_.append_n(listed); });
  }

  // Laws I5 and I6 over the whole pool.
  void audit() const {
    if (const auto law = broken_law(queue_, blocks_)) ADD_FAILURE() << "broken law " << *law;
  }

  void expect_free(const Ids& expected) const {
    if (free_ids() != expected) {
      ADD_FAILURE() << "expected free " << draw(expected) << ", yours is " << draw(free_ids());
    }
    if (num_free_blocks() != expected.size()) {
      ADD_FAILURE() << "I5: num_free_blocks() should be " << expected.size() << ", yours is "
                    << num_free_blocks();
    }
  }

 private:
  static Ids ids_of(const std::vector<KVCacheBlock*>& blocks) {
    Ids ids;
    for (const KVCacheBlock* block : blocks) ids.push_back(block->block_id);
    return ids;
  }

  std::string state() const { return "free " + draw(free_ids()); }

  template <class Call>
  void tell(std::string_view name, const Ids& ids, Call call) {
    std::string text(name);
    text += '(';
    for (const BlockId id : ids) text += (text.back() == '(' ? "#" : ", #") + std::to_string(id);
    step(text + ")");
    call();
    result(state());
  }

  std::vector<KVCacheBlock> blocks_;
  Queue queue_;
};

// The call has to throw ContractViolation and to leave the queue as it was.
template <class Queue, class Call>
void expect_refused(NarratedQueue<Queue>& queue, std::string_view why, Call call) {
  const Ids before = queue.free_ids();
  try {
    call();
    ADD_FAILURE() << "expected the call to be refused (" << why << "), yours went through";
    return;
  } catch (const ContractViolation&) {
    result("refused; free " + draw(queue.free_ids()));
  }
  queue.expect_free(before);
}

}  // namespace kv::grader

// What only CompactFreeQueue promises.

#include "01-free-queue/compact_free_queue.h"

#include <gtest/gtest.h>

#include "01-free-queue/narrated_queue.h"

namespace kv::grader {
namespace {

TEST(CompactFreeQueueBlocks, LeavesTheLinksInsideBlocksAlone) {
  PINS("the links inside the blocks are neither read nor written", "1.10 CompactFreeQueue::append");
  NarratedQueue<CompactFreeQueue> queue(3);
  KVCacheBlock& mark = queue.block(0);
  for (const BlockId id : {0, 1, 2}) queue.block(id).next_free_block = &mark;
  queue.expect_popleft(0);
  queue.remove(2);
  queue.append(0);
  queue.expect_free({1, 0});
  for (const BlockId id : {0, 1, 2}) {
    if (queue.block(id).next_free_block != &mark || queue.block(id).prev_free_block != nullptr) {
      ADD_FAILURE() << "the links inside #" << id << " were written";
    }
  }
}

TEST(CompactFreeQueueBlocks, RefusesBlocksOfAnotherPool) {
  PINS("a block that is not one of the constructor's blocks is refused",
       "1.10 CompactFreeQueue::append");
  NarratedQueue<CompactFreeQueue> queue(2);
  KVCacheBlock stranger;
  queue.expect_popleft(0);
  queue.append(0);
  step("append(a block of another pool)");
  expect_refused(queue, "it is of another pool", [&] { queue.bare().append(stranger); });
  step("remove(a block of another pool)");
  expect_refused(queue, "it is of another pool", [&] { queue.bare().remove(stranger); });
}

}  // namespace
}  // namespace kv::grader

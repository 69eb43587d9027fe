// The parts of the contract that only CompactFreeQueue has.

#include "01-free-queue/compact_free_queue.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "01-free-queue/tests/recorded_queue.h"

namespace kv::grader {
namespace {

TEST(CompactFreeQueueBlocks, LeavesTheLinksInsideBlocksAlone) {
  SPEC("the links inside the blocks are neither read nor written", "1.10 CompactFreeQueue::append",
       "1.9 writes no block");
  RecordedQueue<CompactFreeQueue> queue(3);
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

TEST(CompactFreeQueueBlocks, PopsWithoutReadingABlock) {
  SPEC("what is in a block, its id too, does not change which block is popped",
       "1.9 CompactFreeQueue::popleft", "reads and writes no block");
  std::vector<KVCacheBlock> blocks = numbered_blocks(4);
  CompactFreeQueue queue{std::span(blocks).subspan(1)};
  log_start("", {"", "a queue over blocks 1 to 3 of four blocks, all with id 3"});
  for (KVCacheBlock& block : blocks) block.block_id = 3;
  for (std::size_t i = 1; i <= blocks.size(); ++i) {
    log_step({"popleft()", "popleft()"});
    const KVCacheBlock* popped = queue.popleft();
    const auto place = std::ranges::find_if(blocks, [&](auto& block) { return &block == popped; });
    const std::string yours = popped == nullptr ? "nullptr"
                              : place == blocks.end()
                                  ? "no block of this test"
                                  : "block " + std::to_string(place - blocks.begin());
    log_result(yours);
    const std::string expected = i == blocks.size() ? "nullptr" : "block " + std::to_string(i);
    EXPECT_SAME(yours, expected) << "what is in a block does not matter";
  }
}

TEST(CompactFreeQueueBlocks, RefusesBlocksOfAnotherPool) {
  SPEC("a block that is not one of the constructor's blocks is refused",
       "1.10 CompactFreeQueue::append", "1.8 the constructor", "the constructor");
  RecordedQueue<CompactFreeQueue> queue(2);
  KVCacheBlock stranger;
  queue.expect_popleft(0);
  queue.append(0);
  log_step("append(a block of another pool)");
  expect_refused(queue, "it is of another pool", [&] { queue.raw().append(stranger); });
  log_step("remove(a block of another pool)");
  expect_refused(queue, "it is of another pool", [&] { queue.raw().remove(stranger); });
  std::vector<KVCacheBlock> blocks = numbered_blocks(3);
  CompactFreeQueue first_two{std::span(blocks).first(2)};
  log_step("of a queue over #0 and #1 of three blocks: remove(#2)");
  EXPECT_REFUSED(first_two.remove(blocks[2])) << "#2 is not one of its blocks";
}

TEST(CompactFreeQueueBlocks, RefusesMoreThanItsLinksCanName) {
  SPEC("2^32 - 1 blocks or more are refused", "1.7 CompactFreeQueue::get_all_free_blocks");
  RecordedQueue<CompactFreeQueue> queue(1);
  queue.expect_free({0});
  // Why over one block: no machine has so many, and the constructor refuses before it reads one.
  const std::span<KVCacheBlock> too_many(&queue.block(0), 0xFFFFFFFF);
  log_step("CompactFreeQueue(2^32 - 1 blocks)");
  EXPECT_REFUSED(CompactFreeQueue{too_many}) << "that number marks a block outside the queue";
}

}  // namespace
}  // namespace kv::grader

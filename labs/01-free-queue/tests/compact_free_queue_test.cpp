// The parts of the contract that only CompactFreeQueue has.

#include "01-free-queue/compact_free_queue.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <memory>

#include "01-free-queue/tests/recorded_queue.h"

namespace kv::grader {
namespace {

TEST(CompactFreeQueueBlocks, LeavesTheLinksInsideBlocksAlone) {
  SPEC("the links inside the blocks are neither read nor written", "1.10 CompactFreeQueue::append",
       "1.9 writes no block");
  RecordedQueue<CompactFreeQueue> queue(3);
  KVCacheBlock& mark = queue.block(0);
  for (const BlockId id : {0, 1, 2}) {
    queue.block(id).next_free_block = &mark;
    queue.block(id).prev_free_block = &mark;
  }
  queue.expect_popleft(0);
  queue.remove(2);
  queue.append(0);
  queue.expect_free({1, 0});
  for (const BlockId id : {0, 1, 2}) {
    if (queue.block(id).next_free_block != &mark || queue.block(id).prev_free_block != &mark) {
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

// A page of blocks that can be locked: then to read or to write one is a crash.
class LockableBlocks {
 public:
  LockableBlocks() { std::ranges::uninitialized_default_construct(blocks()); }
  ~LockableBlocks() { munmap(memory_, kNumBytes); }
  LockableBlocks(const LockableBlocks&) = delete;
  LockableBlocks& operator=(const LockableBlocks&) = delete;

  std::span<KVCacheBlock> blocks() {
    return {static_cast<KVCacheBlock*>(memory_), kNumBytes / sizeof(KVCacheBlock)};
  }
  void lock() { mprotect(memory_, kNumBytes, PROT_NONE); }

 private:
  static constexpr std::size_t kNumBytes = 0x1'0000;  // a page, on every machine

  void* memory_ =
      mmap(nullptr, kNumBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
};

TEST(CompactFreeQueueBlocks, PopsLockedBlocks) {
  SPEC("popleft does not look into the block that it returns", "1.9 CompactFreeQueue::popleft",
       "reads and writes no block");
  LockableBlocks memory;
  CompactFreeQueue queue{memory.blocks()};
  log_start("", {"", "a queue over blocks; then their memory is locked: to read one is a crash"});
  memory.lock();
  for (KVCacheBlock& expected : memory.blocks().first(3)) {
    log_step("popleft()");
    const KVCacheBlock* popped = queue.popleft();
    log_returned();
    EXPECT_HOLDS(popped == &expected) << "popleft() should return the head";
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
  CompactFreeQueue last_two{std::span(blocks).last(2)};
  log_step("of a queue over #1 and #2 of three blocks: remove(#0)");
  EXPECT_REFUSED(last_two.remove(blocks[0])) << "#0 is not one of its blocks";
}

TEST(CompactFreeQueueBlocks, GoesByTheBlockNotByItsId) {
  SPEC("a queue over the last two of three blocks moves the block that it is given",
       "1.10 CompactFreeQueue::append", "1.8 from wherever it is", "at the tail");
  std::vector<KVCacheBlock> blocks = numbered_blocks(3);
  CompactFreeQueue queue{std::span(blocks).last(2)};
  log_start("", {"", "a queue over #1 and #2 of three blocks"});
  const auto expect_free = [&](const Ids& expected) {
    const Ids free = ids_of(queue.get_all_free_blocks());
    log_state("free", free);
    expect_same("free", expected, free);
  };
  log_step("remove(#1)");
  queue.remove(blocks[1]);
  expect_free({2});
  log_step("append(#1)");
  queue.append(blocks[1]);
  expect_free({2, 1});
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

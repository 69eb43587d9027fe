// The parts of the contract that only FreeKVCacheBlockQueue has: links and batches.

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

#include "01-free-queue/tests/recorded_queue.h"
#include "grader/harness/endless.h"
#include "grader/harness/small_stack.h"

namespace kv::grader {
namespace {

using Queue = RecordedQueue<FreeKVCacheBlockQueue>;

// Also those of which a body that cuts them, or adds to them, sees less.
constexpr std::size_t kMoreThanThree[] = {4, 0x100, 0x1'0001, 0x1'0000'0002, SIZE_MAX};

void expect_no_links(const KVCacheBlock& block) {
  if (block.prev_free_block != nullptr || block.next_free_block != nullptr) {
    ADD_FAILURE() << "I6: a block outside the queue has both links null, but #" << block.block_id
                  << " kept one";
  }
}

TEST(FreeQueueLinks, RemovedBlockHasNone) {
  SPEC("a removed block has both links null", "1.2 remove");
  Queue queue(3);
  queue.remove(1);
  expect_no_links(queue.block(1));
  queue.remove(2);
  expect_no_links(queue.block(2));
  queue.audit();
}

TEST(FreeQueueLinks, PoppedBlockHasNone) {
  SPEC("a popped block has both links null", "1.3 popleft");
  Queue queue(2);
  queue.expect_popleft(0);
  expect_no_links(queue.block(0));
  queue.expect_popleft(1);
  expect_no_links(queue.block(1));
  queue.audit();
}

TEST(FreeQueueLinks, NeighborsAgreeAfterAppend) {
  SPEC("a block that was appended again can be removed from where it is", "1.4 append");
  Queue queue(4);
  queue.remove(1);
  queue.append(1);
  queue.audit();
  queue.remove(3);
  queue.audit();
  queue.expect_free({0, 2, 1});
}

TEST(FreeQueueBatch, PopsTheFirstBlocksInOrder) {
  SPEC("popleft_n takes the first blocks, head first", "1.5 popleft_n", "head first");
  Queue queue(5);
  queue.expect_popleft_n(3, Ids{0, 1, 2});
  queue.expect_free({3, 4});
  queue.audit();
  queue.expect_popleft_n(1, Ids{3});
  queue.expect_free({4});
  queue.audit();
}

TEST(FreeQueueBatch, PopsNoneAndAll) {
  SPEC("popleft_n(0) gives an empty vector, and all blocks can be taken at once", "1.5 popleft_n",
       "empty vector for 0");
  Queue queue(3);
  queue.expect_popleft_n(0, Ids{});
  queue.expect_free({0, 1, 2});
  queue.expect_popleft_n(3, Ids{0, 1, 2});
  queue.expect_free({});
  queue.audit();
  queue.expect_popleft_n(0, Ids{});
}

TEST(FreeQueueBatch, PopsFromALongQueue) {
  SPEC("popleft_n takes what it is asked for from a queue of 2^16 blocks, too, and all of them",
       "1.5 popleft_n", "fixed amount of stack");
  Queue queue(0x1'0000);
  queue.expect_popleft_n(3, Ids{0, 1, 2});
  queue.audit();
  log_step("popleft_n(65533), with 64 KiB of stack");
  with_small_stack([&] { queue.raw().popleft_n(0x1'0000 - 3); });
  queue.expect_free({});
}

TEST(FreeQueueBatch, TakesAllOrNothing) {
  SPEC("popleft_n of more than is free gives nullopt, and nothing has moved", "1.5 popleft_n",
       "nullopt when fewer are free", "nothing has moved");
  Queue queue(3);
  for (const std::size_t num_blocks : kMoreThanThree) {
    queue.expect_popleft_n(num_blocks, std::nullopt);
    queue.expect_free({0, 1, 2});
  }
  queue.audit();
  log_step("popleft() three times");
  for (int i = 0; i < 3; ++i) queue.raw().popleft();
  for (const std::size_t num_blocks : {1u, 2u}) queue.expect_popleft_n(num_blocks, std::nullopt);
}

void expect_long_list_appended() {
  Queue queue(70'000);
  const Ids all = queue.free_ids();
  const auto blocks = *queue.raw().popleft_n(all.size());
  log_step("append_n of 70000 blocks, with 64 KiB of stack");
  with_small_stack([&] { queue.raw().append_n(blocks); });
  queue.expect_free(all);
}

TEST(FreeQueueBatch, AppendsInTheOrderGiven) {
  SPEC("append_n puts blocks at the tail in the order given", "1.6 append_n", "in the order given",
       "fixed amount of stack");
  allow_steps(2'000'000);
  Queue queue(5);
  queue.expect_popleft_n(4, Ids{0, 1, 2, 3});
  queue.append_n({2, 0, 3});
  queue.expect_free({4, 2, 0, 3});
  queue.audit();
  log_step("popleft() four times");
  for (int i = 0; i < 4; ++i) queue.raw().popleft();
  queue.append_n({1, 0, 4});
  queue.append_n({3});
  queue.expect_free({1, 0, 4, 3});
  queue.audit();
  expect_long_list_appended();
}

TEST(FreeQueueBatch, AppendsNone) {
  SPEC("append_n of nothing changes nothing", "1.6 append_n", "empty span changes nothing");
  Queue queue(2);
  queue.append_n({});
  queue.expect_free({0, 1});
  queue.expect_popleft_n(2, Ids{0, 1});
  queue.append_n({});
  queue.expect_free({});
  queue.append_n({1});
  queue.expect_free({1});
}

TEST(FreeQueueBatch, RefusesAQueuedBlockAsAWhole) {
  SPEC("one block that is in the queue already refuses the whole append_n", "1.6 append_n",
       "one block is in the queue already");
  Queue queue(4);
  queue.expect_popleft_n(2, Ids{0, 1});
  for (const Ids& ids : {Ids{3}, Ids{3, 0, 1}, Ids{0, 3, 1}, Ids{0, 1, 3}, Ids{0, 2}}) {
    expect_refused(queue, "#2 and #3 are in the queue", [&] { queue.append_n(ids); });
    expect_no_links(queue.block(0));
    queue.audit();
  }
  log_object(TestObject::kSecond);
  Queue large(0x1'0004);
  large.expect_popleft_n(2, Ids{0, 1});
  const Ids before = large.free_ids();
  EXPECT_REFUSED(large.append_n({0, 3, 1})) << "#3 is in a queue of 2^16 blocks";
  large.expect_free(before);
}

TEST(FreeQueueBatch, RefusesARepeatedBlockAsAWhole) {
  SPEC("one block that is listed twice refuses the whole append_n", "1.6 append_n", "listed twice",
       "nothing has moved");
  Queue queue(4);
  queue.expect_popleft_n(3, Ids{0, 1, 2});
  for (const Ids& ids : {Ids{0, 1, 1}, Ids{1, 1, 0}, Ids{1, 1}}) {
    expect_refused(queue, "#1 is listed twice", [&] { queue.append_n(ids); });
    expect_no_links(queue.block(0));
    expect_no_links(queue.block(1));
    queue.audit();
  }
  queue.append_n({2, 1});
  queue.expect_free({3, 2, 1});
  queue.audit();
  log_object(TestObject::kSecond);
  Queue empty(2);
  empty.expect_popleft_n(2, Ids{0, 1});
  expect_refused(empty, "#0 is listed twice", [&] { empty.append_n({0, 1, 0}); });
  empty.audit();
}

void expect_long_list_not_appended() {
  Queue queue(70'000);
  auto blocks = *queue.raw().popleft_n(70'000);
  blocks.push_back(blocks.front());
  expect_refused(queue, "a block is listed twice, after 70000 others; 64 KiB of stack",
                 [&] { with_small_stack([&] { queue.raw().append_n(blocks); }); });
  queue.audit();
}

TEST(FreeQueueBatch, RefusesALongListAsAWhole) {
  SPEC("a refused append_n takes back all that it has appended, also more than 2^16 blocks",
       "1.6 append_n", "nothing has moved", "fixed amount of stack");
  constexpr std::size_t kNumBlocks = 200'000;
  Queue queue(kNumBlocks);
  Ids list(kNumBlocks);
  std::iota(list.begin(), list.end(), 0);
  queue.expect_popleft_n(kNumBlocks, list);
  list.push_back(0);
  expect_refused(queue, "#0 is listed twice", [&] { queue.append_n(list); });
  queue.audit();
  expect_long_list_not_appended();
}

}  // namespace
}  // namespace kv::grader

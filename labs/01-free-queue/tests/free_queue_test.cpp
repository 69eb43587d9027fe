// The contract of both queues. free_queue_links_test.cpp checks the links inside blocks.

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "01-free-queue/tests/free_queue_fixture.h"

namespace kv::grader {
namespace {

TYPED_TEST_SUITE(FreeQueue, Queues, QueueName);

const LoopsOfLab kLoops("a walk over a ring ends at the sentinel, not at null", 1'200'000);

Ids all_ids(std::size_t num_blocks) {
  Ids ids(num_blocks);
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

// More than 2^16 blocks. Nothing of them is recorded: to list them at each step would take long.
template <class Queue>
class LongQueue {
 public:
  static constexpr BlockId kNumBlocks = 70'000;

  LongQueue() { log_start("", {"", "a queue of 70,000 blocks"}); }

  Queue& raw() { return queue_; }

  // Takes out all but the last ones.
  void keep_last(BlockId num_kept) {
    log_step({"remove(num_kept)", "remove of all blocks but the last {0}"}, num_kept);
    for (BlockId id = 0; id < kNumBlocks - num_kept; ++id) queue_.remove(block(id));
    log_returned();
  }
  void remove(BlockId id) {
    log_step({"remove(block)", "remove({0})"}, Block{id});
    queue_.remove(block(id));
    log_returned();
  }
  void append(BlockId id) {
    log_step({"append(block)", "append({0})"}, Block{id});
    queue_.append(block(id));
    log_returned();
  }
  void expect_free(const Ids& expected) {
    expect_same("free", expected, ids_of(queue_.get_all_free_blocks()));
  }

 private:
  KVCacheBlock& block(BlockId id) { return blocks_[static_cast<std::size_t>(id)]; }

  std::vector<KVCacheBlock> blocks_ = numbered_blocks(kNumBlocks);
  Queue queue_{blocks_};
};

TYPED_TEST(FreeQueue, ListsBlocksFromHeadToTail) {
  SPEC("a new queue holds all blocks, in the order of the span", TestFixture::Step::kList,
       "from head to tail");
  RecordedQueue<TypeParam> queue(4);
  queue.expect_free({0, 1, 2, 3});
}

TYPED_TEST(FreeQueue, ListsNothingWhenEmpty) {
  SPEC("a queue over no blocks is empty", TestFixture::Step::kList);
  RecordedQueue<TypeParam> queue(0);
  queue.expect_free({});
}

TYPED_TEST(FreeQueue, ListingChangesNothing) {
  SPEC("listing the queue does not move a block", TestFixture::Step::kList);
  RecordedQueue<TypeParam> queue(3);
  queue.expect_free({0, 1, 2});
  queue.expect_free({0, 1, 2});
  queue.audit();
}

TYPED_TEST(FreeQueue, ListsManyBlocks) {
  SPEC("a queue of more than 2^16 blocks is listed as a short one is", TestFixture::Step::kList);
  RecordedQueue<TypeParam> queue(70'000);
  queue.expect_free(all_ids(70'000));
}

TYPED_TEST(FreeQueue, RemovesFromTheMiddle) {
  SPEC("a block leaves from the middle and no other block moves", TestFixture::Step::kRemove,
       "from wherever it is");
  RecordedQueue<TypeParam> queue(5);
  queue.remove(2);
  queue.expect_free({0, 1, 3, 4});
  queue.remove(3);
  queue.expect_free({0, 1, 4});
  log_object(TestObject::kSecond);
  RecordedQueue<TypeParam> large(70'000);
  large.remove(69'990);
  Ids others = all_ids(70'000);
  std::erase(others, 69'990);
  large.expect_free(others);
}

TYPED_TEST(FreeQueue, RemovesTheHead) {
  SPEC("after the head is removed, the second block is the head", TestFixture::Step::kRemove);
  RecordedQueue<TypeParam> queue(3);
  queue.remove(0);
  queue.expect_free({1, 2});
  queue.audit();
}

TYPED_TEST(FreeQueue, RemovesTheTail) {
  SPEC("after the tail is removed, the block before it is the tail", TestFixture::Step::kRemove);
  RecordedQueue<TypeParam> queue(3);
  queue.remove(2);
  queue.expect_free({0, 1});
  queue.remove(1);
  queue.expect_free({0});
}

TYPED_TEST(FreeQueue, RemovesTheOnlyBlock) {
  SPEC("removing the only block leaves an empty queue", TestFixture::Step::kRemove);
  RecordedQueue<TypeParam> queue(1);
  queue.remove(0);
  queue.expect_free({});
  queue.audit();
}

TYPED_TEST(FreeQueue, RefusesToRemoveTwice) {
  SPEC("remove refuses a block that is not in the queue", TestFixture::Step::kRemove,
       "Misuse: a block outside");
  RecordedQueue<TypeParam> queue(3);
  queue.remove(1);
  expect_refused(queue, "#1 is outside the queue", [&] { queue.remove(1); });
  queue.remove(0);
  queue.remove(2);
  expect_refused(queue, "the queue is empty", [&] { queue.remove(0); });
}

TYPED_TEST(FreeQueue, PopsTheHead) {
  SPEC("popleft takes the block that has been free the longest", TestFixture::Step::kPopleft,
       "free the longest");
  RecordedQueue<TypeParam> queue(3);
  queue.expect_popleft(0);
  queue.expect_free({1, 2});
  queue.expect_popleft(1);
  queue.expect_free({2});
  LongQueue<TypeParam> large;
  large.keep_last(2);
  log_step("popleft()");
  const KVCacheBlock* popped = large.raw().popleft();
  EXPECT_SAME(popped ? popped->block_id : -1, 69'998) << "the id of the head";
  large.expect_free({69'999});
}

TYPED_TEST(FreeQueue, PopsNothingFromAnEmptyQueue) {
  SPEC("an empty queue gives nullptr every time", TestFixture::Step::kPopleft,
       "from an empty queue");
  RecordedQueue<TypeParam> queue(1);
  queue.expect_popleft(0);
  log_step("popleft() of the empty queue");
  EXPECT_HOLDS(queue.raw().popleft() == nullptr) << "popleft() should give nullptr, yours a block";
  if (testing::Test::HasFailure()) return;  // Why: the queue may be no queue any more.
  queue.expect_popleft(std::nullopt);
  queue.expect_free({});
  queue.audit();
}

TYPED_TEST(FreeQueue, SkipsRemovedBlocksWhenPopping) {
  SPEC("a block that was removed is never popped", TestFixture::Step::kPopleft);
  RecordedQueue<TypeParam> queue(4);
  queue.remove(0);
  queue.remove(2);
  queue.expect_popleft(1);
  queue.expect_popleft(3);
  queue.expect_popleft(std::nullopt);
}

TYPED_TEST(FreeQueue, AppendsAtTheTail) {
  SPEC("a freed block is the last to be reused", TestFixture::Step::kAppend, "at the tail");
  RecordedQueue<TypeParam> queue(3);
  queue.remove(0);
  queue.append(0);
  queue.expect_free({1, 2, 0});
  queue.remove(2);
  queue.append(2);
  queue.expect_free({1, 0, 2});
  log_object(TestObject::kSecond);
  RecordedQueue<TypeParam> unlisted(5);
  unlisted.expect_free({0, 1, 2, 3, 4});
  log_step("remove(#1), remove(#4), append(#1), append(#4), and nobody lists the queue in between");
  for (const BlockId id : {1, 4}) unlisted.raw().remove(unlisted.block(id));
  for (const BlockId id : {1, 4}) unlisted.raw().append(unlisted.block(id));
  unlisted.expect_free({0, 2, 3, 1, 4});
  log_object(TestObject::kOnly);
  LongQueue<TypeParam> large;
  large.remove(69'999);
  large.append(69'999);
  EXPECT_SAME(large.raw().num_free_blocks(), 70'000u) << "all blocks are free";
  large.keep_last(1);
  large.append(0);
  large.expect_free({69'999, 0});
}

TYPED_TEST(FreeQueue, AppendsToAnEmptyQueue) {
  SPEC("a queue that ran empty works again", TestFixture::Step::kAppend);
  RecordedQueue<TypeParam> queue(2);
  queue.remove(0);
  queue.remove(1);
  queue.append(1);
  queue.expect_free({1});
  queue.append(0);
  queue.expect_free({1, 0});
  queue.audit();
  queue.expect_popleft(1);
  queue.expect_popleft(0);
  queue.append(1);
  queue.expect_free({1});
  queue.audit();
}

TYPED_TEST(FreeQueue, OfTwoQueuesEachHasItsOwn) {
  SPEC("a call changes the queue that it is made on, and no other", TestFixture::Step::kAppend);
  RecordedQueue<TypeParam> first(3);
  log_object(TestObject::kSecond);
  RecordedQueue<TypeParam> second(4);
  for (int i = 0; i < 2; ++i) {
    log_object(TestObject::kFirst);
    first.expect_popleft(i);
    first.append(i);
    log_object(TestObject::kSecond);
    second.remove(i + 1);
    second.append(i + 1);
  }
  first.expect_free({2, 0, 1});
  second.expect_free({0, 3, 1, 2});
  first.audit();
  second.audit();
}

TYPED_TEST(FreeQueue, StartsNewWhereAnotherOneWas) {
  SPEC("a queue that is made where another one was starts as if that one had never been",
       TestFixture::Step::kAppend);
  std::optional<RecordedQueue<TypeParam>> queue;
  for (const std::size_t num_blocks : {3u, 4u}) {
    log_object(num_blocks == 3 ? TestObject::kFirst : TestObject::kSecond);
    queue.emplace(num_blocks);
    queue->expect_free(all_ids(num_blocks));
    queue->expect_popleft(0);
    queue->append(0);
    queue->remove(1);
    queue->append(1);
    queue->expect_free(num_blocks == 3 ? Ids{2, 0, 1} : Ids{2, 3, 0, 1});
    queue->audit();
  }
}

TYPED_TEST(FreeQueue, RefusesToAppendTwice) {
  SPEC("append refuses a block that is in the queue already", TestFixture::Step::kAppend,
       "Misuse: a block");
  RecordedQueue<TypeParam> queue(3);
  queue.remove(1);
  queue.append(1);
  for (const BlockId id : {1, 0}) {
    expect_refused(queue, "#" + std::to_string(id) + " is in the queue", [&] { queue.append(id); });
    queue.remove(id);
    queue.append(id);
  }
  queue.expect_free({2, 1, 0});
  queue.remove(2);
  queue.remove(0);
  expect_refused(queue, "#1 is the only block of the queue", [&] { queue.append(1); });
}

}  // namespace
}  // namespace kv::grader

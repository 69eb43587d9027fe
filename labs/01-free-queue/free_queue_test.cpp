// What both queues promise. Links inside blocks are pinned in free_queue_links_test.cpp.

#include <gtest/gtest.h>

#include "01-free-queue/compact_free_queue.h"
#include "01-free-queue/narrated_queue.h"
#include "grader/harness/allocations.h"

namespace kv::grader {
namespace {

template <class Queue>
struct Steps;  // the README headings that state what is pinned

template <>
struct Steps<FreeKVCacheBlockQueue> {
  static constexpr const char* kName = "FreeKVCacheBlockQueue";
  static constexpr const char* kList = "1.1 get_all_free_blocks";
  static constexpr const char* kRemove = "1.2 remove";
  static constexpr const char* kPopleft = "1.3 popleft";
  static constexpr const char* kAppend = "1.4 append";
};

template <>
struct Steps<CompactFreeQueue> {
  static constexpr const char* kName = "CompactFreeQueue";
  static constexpr const char* kList = "1.7 CompactFreeQueue::get_all_free_blocks";
  static constexpr const char* kRemove = "1.8 CompactFreeQueue::remove";
  static constexpr const char* kPopleft = "1.9 CompactFreeQueue::popleft";
  static constexpr const char* kAppend = "1.10 CompactFreeQueue::append";
};

template <class Queue>
class FreeQueue : public testing::Test {
 public:
  using Step = Steps<Queue>;

  void expect_popleft(NarratedQueue<Queue>& queue, std::optional<BlockId> expected) {
    const auto name = [](std::optional<BlockId> id) {
      return id ? "#" + std::to_string(*id) : std::string("nullptr");
    };
    const std::optional<BlockId> popped = queue.popleft();
    if (popped != expected) {
      ADD_FAILURE() << "popleft() should give " << name(expected) << ", yours gave "
                    << name(popped);
    }
  }
};

struct QueueName {
  template <class Queue>
  static std::string GetName(int) {
    return Steps<Queue>::kName;
  }
};

using Queues = testing::Types<FreeKVCacheBlockQueue, CompactFreeQueue>;
TYPED_TEST_SUITE(FreeQueue, Queues, QueueName);

TYPED_TEST(FreeQueue, ListsBlocksFromHeadToTail) {
  PINS("a new queue holds all blocks, in the order of the span", TestFixture::Step::kList);
  NarratedQueue<TypeParam> queue(4);
  queue.expect_free({0, 1, 2, 3});
}

TYPED_TEST(FreeQueue, ListsNothingWhenEmpty) {
  PINS("a queue over no blocks is empty, and says so", TestFixture::Step::kList);
  NarratedQueue<TypeParam> queue(0);
  queue.expect_free({});
}

TYPED_TEST(FreeQueue, ListingChangesNothing) {
  PINS("looking at the queue does not move a block", TestFixture::Step::kList);
  NarratedQueue<TypeParam> queue(3);
  queue.expect_free({0, 1, 2});
  queue.expect_free({0, 1, 2});
  queue.audit();
}

TYPED_TEST(FreeQueue, RemovesFromTheMiddle) {
  PINS("a block leaves from the middle and no other block moves", TestFixture::Step::kRemove);
  NarratedQueue<TypeParam> queue(5);
  queue.remove(2);
  queue.expect_free({0, 1, 3, 4});
  queue.remove(3);
  queue.expect_free({0, 1, 4});
}

TYPED_TEST(FreeQueue, RemovesTheHead) {
  PINS("after the head is removed, the second block is the head", TestFixture::Step::kRemove);
  NarratedQueue<TypeParam> queue(3);
  queue.remove(0);
  queue.expect_free({1, 2});
  queue.audit();
}

TYPED_TEST(FreeQueue, RemovesTheTail) {
  PINS("after the tail is removed, the block before it is the tail", TestFixture::Step::kRemove);
  NarratedQueue<TypeParam> queue(3);
  queue.remove(2);
  queue.expect_free({0, 1});
  queue.remove(1);
  queue.expect_free({0});
}

TYPED_TEST(FreeQueue, RemovesTheOnlyBlock) {
  PINS("removing the only block leaves an empty queue", TestFixture::Step::kRemove);
  NarratedQueue<TypeParam> queue(1);
  queue.remove(0);
  queue.expect_free({});
}

TYPED_TEST(FreeQueue, RefusesToRemoveTwice) {
  PINS("remove refuses a block that is not in the queue", TestFixture::Step::kRemove);
  NarratedQueue<TypeParam> queue(3);
  queue.remove(1);
  expect_refused(queue, "#1 is outside the queue", [&] { queue.remove(1); });
}

TYPED_TEST(FreeQueue, PopsTheHead) {
  PINS("popleft takes the block that has been free the longest", TestFixture::Step::kPopleft);
  NarratedQueue<TypeParam> queue(3);
  this->expect_popleft(queue, 0);
  queue.expect_free({1, 2});
  this->expect_popleft(queue, 1);
  queue.expect_free({2});
}

TYPED_TEST(FreeQueue, PopsNothingFromAnEmptyQueue) {
  PINS("an empty queue gives nullptr, as often as it is asked", TestFixture::Step::kPopleft);
  NarratedQueue<TypeParam> queue(1);
  this->expect_popleft(queue, 0);
  this->expect_popleft(queue, std::nullopt);
  this->expect_popleft(queue, std::nullopt);
  queue.expect_free({});
  queue.audit();
}

TYPED_TEST(FreeQueue, SkipsRemovedBlocksWhenPopping) {
  PINS("a block that was removed is never popped", TestFixture::Step::kPopleft);
  NarratedQueue<TypeParam> queue(4);
  queue.remove(0);
  queue.remove(2);
  this->expect_popleft(queue, 1);
  this->expect_popleft(queue, 3);
  this->expect_popleft(queue, std::nullopt);
}

TYPED_TEST(FreeQueue, AppendsAtTheTail) {
  PINS("a freed block is the last to be reused", TestFixture::Step::kAppend);
  NarratedQueue<TypeParam> queue(3);
  queue.remove(0);
  queue.append(0);
  queue.expect_free({1, 2, 0});
  queue.remove(2);
  queue.append(2);
  queue.expect_free({1, 0, 2});
}

TYPED_TEST(FreeQueue, AppendsToAnEmptyQueue) {
  PINS("a queue that ran empty works again", TestFixture::Step::kAppend);
  NarratedQueue<TypeParam> queue(2);
  queue.remove(0);
  queue.remove(1);
  queue.append(1);
  queue.expect_free({1});
  queue.append(0);
  queue.expect_free({1, 0});
  queue.audit();
}

TYPED_TEST(FreeQueue, RefusesToAppendTwice) {
  PINS("append refuses a block that is in the queue already", TestFixture::Step::kAppend);
  NarratedQueue<TypeParam> queue(3);
  queue.remove(1);
  queue.append(1);
  expect_refused(queue, "#1 is in the queue", [&] { queue.append(1); });
  expect_refused(queue, "#0 is in the queue", [&] { queue.append(0); });
}

TYPED_TEST(FreeQueue, MovesBlocksWithoutAllocating) {
  PINS("remove, popleft and append ask for no memory", TestFixture::Step::kAppend);
  NarratedQueue<TypeParam> queue(8);
  queue.audit();
  const std::size_t num_before = num_allocations();
  queue.bare().remove(queue.block(5));
  KVCacheBlock* popped = queue.bare().popleft();
  queue.bare().append(queue.block(5));
  const std::size_t num_allocated = num_allocations() - num_before;
  if (popped != nullptr) queue.append(popped->block_id);
  EXPECT_EQ(num_allocated, 0u) << "the links are in place already; nothing is left to allocate";
  queue.expect_free({1, 2, 3, 4, 6, 7, 5, 0});
}

}  // namespace
}  // namespace kv::grader

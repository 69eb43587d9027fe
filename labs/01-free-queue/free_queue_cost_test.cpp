// What a call may cost: counted, never timed.

#include "01-free-queue/free_queue_fixture.h"
#include "grader/harness/allocations.h"

namespace kv::grader {
namespace {

template <class Queue>
class FreeQueueCost : public FreeQueue<Queue> {};
TYPED_TEST_SUITE(FreeQueueCost, Queues, QueueName);

TYPED_TEST(FreeQueueCost, MovesBlocksWithoutAllocating) {
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

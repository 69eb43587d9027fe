// prepend_n: what goes to the head of the queue, and leaves before all that wait.

#include <gtest/gtest.h>

#include "01-free-queue/tests/recorded_queue.h"
#include "grader/harness/small_stack.h"

namespace kv::grader {
namespace {

using Queue = RecordedQueue<FreeKVCacheBlockQueue>;

void expect_long_list_prepended() {
  Queue queue(70'000);
  const Ids all = queue.free_ids();
  const auto blocks = *queue.raw().popleft_n(all.size() - 1);
  log_step("prepend_n of 69999 blocks, with 64 KiB of stack");
  with_small_stack([&] { queue.raw().prepend_n(blocks); });
  queue.expect_free(all);
}

void expect_long_list_not_prepended() {
  Queue queue(70'000);
  auto blocks = *queue.raw().popleft_n(70'000);
  blocks.push_back(blocks.front());
  expect_refused(queue, "a block is listed twice, after 70000 others; 64 KiB of stack",
                 [&] { with_small_stack([&] { queue.raw().prepend_n(blocks); }); });
  queue.audit();
}

TEST(FreeQueuePrepend, PutsBlocksAtTheHeadInTheOrderGiven) {
  SPEC("prepend_n puts blocks at the head in the order given, and those that wait stay after them",
       "1.11 prepend_n", "in the order given", "before all that wait", "fixed amount of stack");
  allow_steps(2'000'000);
  Queue queue(6);
  queue.expect_popleft_n(4, Ids{0, 1, 2, 3});
  queue.prepend_n({2, 0, 3});
  queue.expect_free({2, 0, 3, 4, 5});
  queue.audit();
  queue.prepend_n({1});
  queue.expect_free({1, 2, 0, 3, 4, 5});
  queue.audit();
  queue.expect_popleft(1);
  queue.append(1);
  queue.remove(3);
  queue.expect_free({2, 0, 4, 5, 1});
  queue.audit();
  expect_long_list_prepended();
}

TEST(FreeQueuePrepend, ToAnEmptyQueue) {
  SPEC("an empty queue gets the blocks in the order given, and a list of none changes nothing",
       "1.11 prepend_n", "An empty span changes nothing");
  Queue queue(3);
  queue.prepend_n({});
  queue.expect_free({0, 1, 2});
  queue.audit();
  queue.expect_popleft_n(3, Ids{0, 1, 2});
  queue.prepend_n({});
  queue.expect_free({});
  queue.audit();
  queue.prepend_n({2, 1});
  queue.append(0);
  queue.expect_free({2, 1, 0});
  queue.audit();
}

TEST(FreeQueuePrepend, RefusesAQueuedBlockAsAWhole) {
  SPEC("one block that is in the queue already refuses the whole prepend_n", "1.11 prepend_n",
       "one block is in the queue already");
  Queue queue(4);
  queue.expect_popleft_n(2, Ids{0, 1});
  for (const Ids& ids : {Ids{3}, Ids{3, 0, 1}, Ids{0, 3, 1}, Ids{0, 1, 3}, Ids{0, 2}, Ids{2, 0}}) {
    expect_refused(queue, "#2 and #3 are in the queue", [&] { queue.prepend_n(ids); });
    queue.audit();
  }
}

TEST(FreeQueuePrepend, RefusesARepeatedBlockAsAWhole) {
  SPEC("one block that is listed twice refuses the whole prepend_n", "1.11 prepend_n",
       "listed twice", "nothing has moved", "fixed amount of stack");
  Queue queue(4);
  queue.expect_popleft_n(3, Ids{0, 1, 2});
  for (const Ids& ids : {Ids{0, 1, 1}, Ids{1, 0, 1}, Ids{1, 1}}) {
    expect_refused(queue, "#1 is listed twice", [&] { queue.prepend_n(ids); });
    queue.audit();
  }
  queue.prepend_n({2, 1});
  queue.expect_free({2, 1, 3});
  queue.audit();
  log_object(TestObject::kSecond);
  Queue empty(2);
  empty.expect_popleft_n(2, Ids{0, 1});
  expect_refused(empty, "#0 is listed twice", [&] { empty.prepend_n({0, 1, 0}); });
  empty.audit();
  expect_long_list_not_prepended();
}

}  // namespace
}  // namespace kv::grader

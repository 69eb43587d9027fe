#pragma once
// The tests of both queues are written once; each queue has its own steps and headings.

#include <gtest/gtest.h>

#include <string>

#include "01-free-queue/tests/recorded_queue.h"

namespace kv::grader {

template <class Queue>
struct Steps;  // the README headings that state what is checked

template <>
struct Steps<FreeKVCacheBlockQueue> {
  static constexpr const char* kList = "1.1 get_all_free_blocks";
  static constexpr const char* kRemove = "1.2 remove";
  static constexpr const char* kPopleft = "1.3 popleft";
  static constexpr const char* kAppend = "1.4 append";
};

template <>
struct Steps<CompactFreeQueue> {
  static constexpr const char* kList = "1.7 CompactFreeQueue::get_all_free_blocks";
  static constexpr const char* kRemove = "1.8 CompactFreeQueue::remove";
  static constexpr const char* kPopleft = "1.9 CompactFreeQueue::popleft";
  static constexpr const char* kAppend = "1.10 CompactFreeQueue::append";
};

template <class Queue>
class FreeQueue : public testing::Test {
 public:
  using Step = Steps<Queue>;
};

struct QueueName {
  template <class Queue>
  static std::string GetName(int) {
    return kQueueName<Queue>;
  }
};

using Queues = testing::Types<FreeKVCacheBlockQueue, CompactFreeQueue>;

}  // namespace kv::grader

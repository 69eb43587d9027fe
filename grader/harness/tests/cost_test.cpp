// The counters, and the complaints about their counts.

#include "grader/harness/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace kv::grader {
namespace {

std::optional<std::string> complaint_about(std::function<Cost(std::size_t)> cost,
                                           Memory memory = Memory::kNone) {
  return complaint({"f()", "things", std::move(cost), memory});
}

TEST(Complaint, NoneAboutTheSameOrALogarithm) {
  EXPECT_FALSE(complaint_about([](std::size_t) { return Cost{.num_steps = 5'000}; }));
  EXPECT_FALSE(complaint_about([](std::size_t num) {
    return Cost{.num_steps = 10 * static_cast<std::uint64_t>(std::bit_width(num))};
  }));
}

TEST(Complaint, NamesWhatGrew) {
  const auto steps = complaint_about([](std::size_t num) { return Cost{.num_steps = num + 23}; });
  ASSERT_TRUE(steps);
  EXPECT_NE(steps->find("1,523 "), std::string::npos) << *steps;
  EXPECT_NE(steps->find(" with 1,500 things and 123 with 100; it must not depend on how many"),
            std::string::npos)
      << *steps;
  const auto bytes =
      complaint_about([](std::size_t num) { return Cost{.num_bytes_moved = 8 * num}; });
  EXPECT_EQ(*bytes,
            "f() moved 12,000 bytes with 1,500 things and 800 with 100; it must not "
            "depend on how many there are");
}

TEST(Complaint, AboutWhatGrowsLate) {
  const auto why = complaint_about([](std::size_t num) { return Cost{.num_steps = num / 100}; });
  EXPECT_NE(why->find(" 1,000 "), std::string::npos) << *why;
  EXPECT_NE(why->find(" with 100,000 things"), std::string::npos) << *why;
}

TEST(Complaint, NoneAboutAContainerThatGrewOnce) {
  for (const std::size_t size : {1'000, 1'500}) {
    EXPECT_FALSE(complaint_about(
        [size](std::size_t num) { return Cost{.num_steps = num == size ? 10 * num : 5}; }));
  }
}

TEST(Complaint, ComesBeforeThereAreMany) {
  std::size_t most = 0;
  complaint_about([&most](std::size_t num) {
    most = std::max(most, num);
    return Cost{.num_steps = num};
  });
  EXPECT_LT(most, 2'000u);
}

TEST(Complaint, AboutMemory) {
  const auto once = [](std::size_t) { return Cost{.num_allocations = 1}; };
  EXPECT_EQ(*complaint_about(once), "f() asked for memory (1 allocation); it must not allocate");
  EXPECT_FALSE(complaint_about(once, Memory::kMayBeAskedFor));
  EXPECT_TRUE(complaint_about([](std::size_t num) { return Cost{.num_allocations = num}; },
                              Memory::kMayBeAskedFor));
}

TEST(Counters, CountAllocations) {
#ifdef KV_SANITIZED
  GTEST_SKIP() << "a sanitizer needs operator new itself";
#endif
  std::vector<int> numbers;
  const Cost cost = cost_of([&] { numbers.resize(1000); });
  EXPECT_EQ(numbers.size(), 1000u);
  EXPECT_EQ(cost.num_allocations, 1u);
}

// This file is compiled with the counters; see grader/CMakeLists.txt.
[[gnu::noinline]] int times_around(int num) {
  volatile int sum = 0;
  for (int i = 0; i < num; ++i) sum = sum + i;
  return sum;
}

TEST(Counters, CountEachPassOfALoop) {
#ifndef KV_COUNTS_BASIC_BLOCKS
  GTEST_SKIP() << "this compiler cannot count basic blocks";
#endif
  const Cost few = cost_of([] { times_around(10); });
  const Cost many = cost_of([] { times_around(1'000); });
  EXPECT_EQ((many.num_steps - few.num_steps) % 990, 0u);
  EXPECT_GE(many.num_steps - few.num_steps, 990u);
  EXPECT_EQ(cost_of([] { times_around(10); }).num_steps, few.num_steps) << "to the last digit";
}

// A deque that gets another segment copies its table of segments: with libc++, 320 bytes beside
// 20,000 requests.
TEST(Cost, CheaperOfTwoIsWithoutATableThatGrewInEither) {
  const Cost cost = cheaper_of({.num_steps = 700, .num_allocations = 1, .num_bytes_moved = 16},
                               {.num_steps = 40, .num_allocations = 2, .num_bytes_moved = 320});
  EXPECT_EQ(cost.num_steps, 40u);
  EXPECT_EQ(cost.num_allocations, 1u);
  EXPECT_EQ(cost.num_bytes_moved, 16u);
}

// Why not inlined: a compiler that sees that nobody reads the array again may leave the move out. A
// student's function and its test are in two files.
[[gnu::noinline]] void erase_head(std::vector<void*>& blocks) {
  blocks.erase(blocks.begin());
}

TEST(Counters, CountWhatAnArrayMovesWhenItsHeadIsErased) {
#ifndef KV_COUNTS_BYTES
  GTEST_SKIP() << "this linker cannot wrap functions";
#endif
  std::vector<void*> blocks(100'000);
  const Cost cost = cost_of([&] { erase_head(blocks); });
  EXPECT_EQ(blocks.size(), 99'999u);
  EXPECT_EQ(cost.num_bytes_moved, 99'999 * sizeof(void*));
}

}  // namespace
}  // namespace kv::grader

// Rung 0: a sum of vectors, and threads that combine their values.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "06-cuda-kernel/given/device_array.h"
#include "06-cuda-kernel/kernels.h"
#include "06-cuda-kernel/tests/simulated.h"

namespace kv::grader {
namespace {

std::vector<float> counted(std::size_t size, float first) {
  std::vector<float> numbers(size);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

void expect_vector_add(int n) {
  const auto size = static_cast<std::size_t>(n);
  const DeviceArray<float> a(counted(size, 1)), b(counted(size, 100)), sum(unwritten(size));
  log_step({"vector_add(n)", "vector_add of {0} elements"}, n);
  in_both_orders(
      [&] {
        launch_vector_add(sum.data(), a.data(), b.data(), n);
        return sum.read();
      },
      [&](const std::vector<float>& yours) {
        for (std::size_t i = 0; i < size; ++i) {
          const auto expected = 101 + 2 * static_cast<float>(i);
          ASSERT_SAME(yours[i], expected) << "sum[" << i << "]";
        }
      });
}

// One access to each array in each thread that has an element, none in the others.
void expect_one_thread_for_each(int n) {
  const auto size = static_cast<std::size_t>(n);
  const DeviceArray<float> a(counted(size, 1)), b(counted(size, 100)), sum(unwritten(size));
  const simt::Seen seen = traffic_of([&] { launch_vector_add(sum.data(), a.data(), b.data(), n); });
  for (const simt::LineTraffic& line : seen.lines) {
    const std::uint64_t num_warps = (size + kWarpSize - 1) / kWarpSize;
    const std::uint64_t num_accesses = line.requests / num_warps;  // several may be in one line
    EXPECT_HOLDS(line.requests % num_warps == 0 && line.lanes == num_accesses * size)
        << line.requests << " requests at " << draw_place(line.at) << " are made by " << line.lanes
        << " lanes: with " << n << " elements, " << n << " threads of " << num_warps
        << " warps add one each, and the others touch no memory";
  }
}

TEST(VectorAdd, AddsEachElement) {
  SPEC("each element is the sum of two", "6.1 vector_add", "sum[i] = a[i] + b[i]",
       "one thread for each i");
  expect_vector_add(256);
  if (!HasFailure()) expect_one_thread_for_each(256);
}

TEST(VectorAdd, ThreadsPastTheEnd) {
  SPEC("threads past the end touch no memory", "6.1 vector_add", "touch no memory");
  for (const int n : {0, 1, 127, 129, 1000, 70'000}) {
    expect_vector_add(n);
    if (HasFailure()) return;
  }
  expect_one_thread_for_each(129);
}

// In the first warp all values are negative. Sums of small whole numbers are exact.
void expect_groups_reduced(int num_lanes) {
  std::vector<float> values(2 * kWarpSize);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i * i % 53) - (i < kWarpSize ? 60 : 0);
  const DeviceArray<float> device_values(values), maxima(unwritten(values.size())),
      sums(unwritten(values.size()));
  log_step({"group_reduce(num_lanes)", "groups of {0} lanes, in two warps"}, num_lanes);
  in_both_orders(
      [&] {
        launch_group_reduce(maxima.data(), sums.data(), device_values.data(), 2, num_lanes);
        return std::pair(maxima.read(), sums.read());
      },
      [&](const auto& yours) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          const auto first =
              values.begin() + static_cast<std::ptrdiff_t>(i) / num_lanes * num_lanes;
          const std::string place = " in lane " + std::to_string(i % kWarpSize) + " of warp " +
                                    std::to_string(i / kWarpSize);
          ASSERT_SAME(yours.first[i], *std::max_element(first, first + num_lanes))
              << "maximum" << place;
          ASSERT_SAME(yours.second[i], std::accumulate(first, first + num_lanes, 0.0f))
              << "sum" << place;
        }
      });
}

TEST(GroupReduce, EveryLaneGetsTheResult) {
  SPEC("every lane gets the result of its group", "6.2 group_reduce",
       "Every lane gets the values of its group", "their maximum and their sum");
  for (const int num_lanes : {8, 16, 32}) {
    expect_groups_reduced(num_lanes);
    if (HasFailure()) return;
  }
}

TEST(GroupReduce, UsesNoSharedMemory) {
  SPEC("lanes exchange values in registers", "6.2 group_reduce", "No shared memory",
       "no barrier of the block");
  const std::vector<float> values(kWarpSize, 1);
  const DeviceArray<float> device_values(values), maxima(unwritten(values.size())),
      sums(unwritten(values.size()));
  const simt::Seen seen = traffic_of(
      [&] { launch_group_reduce(maxima.data(), sums.data(), device_values.data(), 1, 32); });
  for (const simt::LineTraffic& line : seen.lines) {
    EXPECT_HOLDS(!line.is_shared) << "shared memory is accessed at " << draw_place(line.at);
  }
}

// Where the largest value of a block is: at both ends of it, too. In one block all values are
// negative, in one all are positive.
struct Extremes {
  int largest_at;
  int largest = 50, smallest = -50;
};
constexpr std::array<Extremes, 5> kExtremes = {
    {{77}, {kNumThreads - 1}, {0}, {3, -1, -50}, {40, 50, 1}}};

std::vector<float> values_of(const Extremes& extremes) {
  std::vector<float> values;
  for (int thread = 0; thread < kNumThreads; ++thread) {
    const bool is_largest = thread == extremes.largest_at;
    const int value = is_largest ? extremes.largest : extremes.smallest + thread % 13;
    values.push_back(static_cast<float>(value));
  }
  return values;
}

// Sums of small whole numbers are exact, and a value that counts twice changes them.
void expect_reduced(bool sums_too) {
  const int num_blocks = static_cast<int>(kExtremes.size());
  std::vector<float> values, expected_sums;
  for (const Extremes& extremes : kExtremes) {
    const std::vector<float> of_block = values_of(extremes);
    values.insert(values.end(), of_block.begin(), of_block.end());
    expected_sums.push_back(std::accumulate(of_block.begin(), of_block.end(), 0.0f));
  }
  const DeviceArray<float> device_values(values), maxima(unwritten(values.size())),
      sums(unwritten(values.size()));
  log_step({"block_reduce(num_blocks)", "each thread of {0} blocks reduces, twice"}, num_blocks);
  in_both_orders(
      [&] {
        launch_block_reduce(maxima.data(), sums.data(), device_values.data(), num_blocks);
        return std::pair(maxima.read(), sums.read());
      },
      [&](const auto& yours) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          const std::size_t block = i / kNumThreads;
          const std::string place = " in thread " + std::to_string(i % kNumThreads) + " of block " +
                                    std::to_string(block);
          ASSERT_SAME(yours.first[i], static_cast<float>(kExtremes[block].largest))
              << "maximum" << place;
          if (!sums_too) continue;
          ASSERT_SAME(yours.second[i], expected_sums[block]) << "sum" << place;
        }
      });
}

TEST(BlockReduce, EveryThreadGetsTheMaximum) {
  SPEC("every thread gets the result of its block", "6.3 block_reduce",
       "the values of all threads of the block");
  expect_reduced(false);
}

TEST(BlockReduce, CanBeCalledAgain) {
  SPEC("the second call does not disturb the first", "6.3 block_reduce", "called again at once");
  expect_reduced(true);
}

}  // namespace
}  // namespace kv::grader

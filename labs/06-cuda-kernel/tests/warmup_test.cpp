// Rung 0: a sum of vectors, and a block that combines its values.

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(VectorAdd, AddsEachElement) {
  SPEC("each element is the sum of two", "6.1 vector_add", "sum[i] = a[i] + b[i]",
       "one thread for each i");
  expect_vector_add(256);
}

TEST(VectorAdd, ThreadsBehindTheEnd) {
  SPEC("threads behind the end touch no memory", "6.1 vector_add", "touch no memory");
  for (const int n : {1, 127, 129, 1000}) {
    expect_vector_add(n);
    if (HasFailure()) return;
  }
}

void expect_reduced(int num_blocks, bool sums_too) {
  const std::size_t size = static_cast<std::size_t>(num_blocks) * kNumThreads;
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<float>(i * 37 % 101) - 120;
  const DeviceArray<float> device_values(values), maxima(unwritten(size)), sums(unwritten(size));
  log_step({"block_reduce(num_blocks)", "each thread of {0} blocks reduces, twice"}, num_blocks);
  in_both_orders(
      [&] {
        launch_block_reduce(maxima.data(), sums.data(), device_values.data(), num_blocks);
        return std::pair(maxima.read(), sums.read());
      },
      [&](const auto& yours) {
        for (std::size_t i = 0; i < size; ++i) {
          const auto first =
              values.begin() + static_cast<std::ptrdiff_t>(i / kNumThreads * kNumThreads);
          ASSERT_SAME(yours.first[i], *std::max_element(first, first + kNumThreads))
              << "maximum in thread " << i % kNumThreads << " of block " << i / kNumThreads;
          if (!sums_too) continue;
          ASSERT_SAME(yours.second[i], std::accumulate(first, first + kNumThreads, 0.0f))
              << "sum in thread " << i % kNumThreads << " of block " << i / kNumThreads;
        }
      });
}

TEST(BlockReduce, EveryThreadGetsTheMaximum) {
  SPEC("every thread gets the result of its block", "6.2 block_reduce", "gets the maximum");
  expect_reduced(2, false);
}

TEST(BlockReduce, CanBeCalledAgain) {
  SPEC("the second call does not disturb the first", "6.2 block_reduce", "then the sum",
       "called again at once");
  expect_reduced(1, true);
}

}  // namespace
}  // namespace kv::grader

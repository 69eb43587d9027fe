// Tests of the harness: comparisons, random numbers, drawn lists.

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "grader/harness/draw.h"
#include "grader/harness/near.h"
#include "grader/harness/random.h"

namespace kv::grader {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Near, ANaNIsNearNothing) {
  EXPECT_FALSE(near(kNaN, 0.0, 1.0));
  EXPECT_FALSE(near(0.0, kNaN, 1.0));
  EXPECT_FALSE(near(kNaN, kNaN, 1.0));
  EXPECT_FALSE(near(0.0, 0.0 + 1.0, kNaN));
}

TEST(Near, InfinityIsNearItselfOnly) {
  EXPECT_TRUE(near(kInfinity, kInfinity, 0.0));
  EXPECT_FALSE(near(kInfinity, -kInfinity, 1.0));
  EXPECT_FALSE(near(1.0, kInfinity, 1.0));
  EXPECT_FALSE(near(kInfinity, 1.0, 1.0));
}

TEST(Near, TheToleranceIsRelativeForLargeValues) {
  EXPECT_TRUE(near(1e6 + 0.5, 1e6, 1e-6));
  EXPECT_FALSE(near(1e6 + 2.0, 1e6, 1e-6));
  EXPECT_TRUE(near(1e-9, 0.0, 1e-6));
}

TEST(Near, FirstDifferenceNamesTheIndex) {
  const std::array actual = {1.0, 2.0, kNaN, 4.0};
  const std::array expected = {1.0, 2.0, 3.0, 5.0};
  EXPECT_EQ(first_difference<double>(actual, expected, 1e-12), 2u);
  EXPECT_EQ(first_difference<double>(expected, expected, 0.0), 4u);
}

TEST(Near, ALongerSumMayErrMore) {
  EXPECT_EQ(sum_tolerance<float>(2), 2 * sum_tolerance<float>(1));
  EXPECT_LT(sum_tolerance<double>(1000), 1e-12);
}

TEST(RandomHistories, DrawTheStandardsOwnNumbers) {
  // [rand.predef]: the 10,000th number of a default-seeded mt19937_64.
  Random random(5489);
  for (int i = 0; i < 9999; ++i) random.below(1);
  EXPECT_EQ(random.below(std::numeric_limits<std::size_t>::max()), 9981545732273789042u);
}

TEST(Draw, ShowsIdsAsTheTextsDo) {
  EXPECT_EQ(draw(std::array{3, 0, 7}), "[3 0 7]");
  EXPECT_EQ(draw(std::array<int, 0>{}), "[]");
}

}  // namespace
}  // namespace kv::grader

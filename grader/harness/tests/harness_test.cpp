// Tests of the harness: comparisons, random numbers, drawn lists.

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "grader/harness/draw.h"
#include "grader/harness/endless.h"
#include "grader/harness/failure_message.h"
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

TEST(Draw, ShowsAnyValue) {
  EXPECT_EQ(draw(true), "true");
  EXPECT_EQ(draw(1e-12), "1e-12");
  EXPECT_EQ(draw(-kNaN), "NaN");
  EXPECT_EQ(draw(std::optional<int>()), "nullopt");
  EXPECT_EQ(draw(std::optional(std::vector{1, 2})), "[1 2]");
  EXPECT_EQ(draw(std::vector<std::string>{"lora=poet", "salt=s"}), "[lora=poet salt=s]");
}

TEST(Draw, ShowsALongListWhereItDiffers) {
  std::vector<int> expected(70'000);
  std::iota(expected.begin(), expected.end(), 0);
  std::vector<int> yours = expected;
  yours[65'536] = 0;
  EXPECT_EQ(difference(expected, expected), std::nullopt);
  EXPECT_EQ(draw_difference("free", expected, yours),
            "expected free [0 1 2 3 ... 65535 65536 65537 65538 ...] of 70000\n"
            "   yours is [0 1 2 3 ... 65535 0 65537 65538 ...] of 70000\n"
            "   entry 65536 is the first that differs");
  yours.resize(3);
  EXPECT_EQ(draw_difference("", yours, std::vector{0, 1}), "expected [0 1 2], yours is [0 1]");
}

TEST(Draw, ShowsAnExceptionInWords) {
  const std::string intro = "an exception came out of your code: ";
  EXPECT_EQ(draw_exception("I6: append takes a block outside the queue"),
            intro + "I6: append takes a block outside the queue");
  EXPECT_EQ(draw_exception("vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)"),
            intro + "index 5 is past the end of a list of 3");
  EXPECT_EQ(draw_exception("map::at"), intro + "a map was asked for a key that it does not have");
  EXPECT_NE(draw_exception("std::bad_alloc").find("used up its memory"), std::string::npos);
}

TEST(FailureMessage, IsTheSameForEachVersionOfGoogleTest) {
  for (const char* end : {"", "\n"}) {
    EXPECT_EQ(without_wrapping(std::string("Failed\nremove() left a link") + end),
              "remove() left a link");
    EXPECT_EQ(without_wrapping(std::string("Expected: a\n  actual: b: ") + end),
              "Expected: a\n  actual: b");
    EXPECT_EQ(
        without_wrapping(
            std::string("C++ exception with description \"map::at\" thrown in the test body.") +
            end),
        draw_exception("map::at"));
  }
}

}  // namespace
}  // namespace kv::grader

// What shrinking is built on: children that may break, and numbers read as choices.

#include "grader/harness/in_child.h"

#include <gtest/gtest.h>

#include <csignal>

#include "grader/harness/choices.h"

namespace kv::grader {
namespace {

TEST(Child, ThatReturnsHasNotBroken) {
  EXPECT_FALSE(breaks_in_child([](Progress&) {}));
}

TEST(Child, SaysHowFarItCame) {
  const auto broken = breaks_in_child([](Progress& progress) {
    progress = {.num_runs = 5, .num_calls = 8};
    ::raise(SIGKILL);
  });
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->num_runs, 5u);
  EXPECT_EQ(broken->num_calls, 8u);
}

TEST(Choices, AreReadModuloWhatThereIs) {
  Choices choices({7, 4, 9, 5});
  EXPECT_EQ(choices.below(5), 2u);
  EXPECT_EQ(choices.below(3), 1u);
  EXPECT_EQ(choices.below(0), 0u) << "nothing to choose from";
  EXPECT_EQ(choices.below(4), 1u) << "a question takes its number even so";
  EXPECT_EQ(choices.below(4), 0u) << "no number is left";
}

}  // namespace
}  // namespace kv::grader

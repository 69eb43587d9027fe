// What shrinking is built on: children that may break, and numbers read as choices. And calls with
// little room on the stack.

#include "grader/harness/in_child.h"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

#include "grader/harness/choices.h"
#include "grader/harness/small_stack.h"

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

// Calls in progress at one time, of 100 bytes each.
void go_deep(int num_calls) {
  volatile char room[100] = {};
  if (num_calls > room[0]) go_deep(num_calls - 1);
  room[1] = room[0];
}

TEST(SmallStack, HasRoomForAFewCalls) {
  with_small_stack([] { go_deep(10); });
  EXPECT_TRUE(breaks_in_child([](Progress&) { with_small_stack([] { go_deep(2'000); }); }));
}

TEST(SmallStack, PassesOnWhatIsThrown) {
  EXPECT_THROW(with_small_stack([] { throw std::logic_error("no"); }), std::logic_error);
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

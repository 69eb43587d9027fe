// The shrinker, on objects whose shortest broken history is known.

#include "grader/harness/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "grader/harness/in_child.h"
#include "grader/harness/random.h"

namespace kv::grader {
namespace {

// Three kinds of call on a shelf: 0 puts a book on it, 1 takes one away, 2 reads. It fails when a
// fourth book is put on a shelf with room for three or more.
class Shelf {
 public:
  Shelf(std::size_t room, void (*failure)()) : room_(room), failure_(failure) {}

  void call(Choices choices) {
    const std::size_t kind = choices.below(3);
    if (kind == 0) ++num_books_;
    if (kind == 1 && num_books_ > 0) --num_books_;
    if (room_ >= 3 && num_books_ > 3) failure_();
  }

 private:
  std::size_t room_;
  void (*failure_)();
  int num_books_ = 0;
};

History random_history() {
  Random random(7);
  History history{.sizes = {40}, .calls = {}};
  while (history.calls.size() < 500) {
    history.calls.push_back({static_cast<std::uint32_t>(random.below(1'000'000)), 5, 7});
  }
  return history;
}

// Runs in a child, as the history tests do, and gives what is left of a random history.
History shortest_that_ends_in(void (*failure)()) {
  return shortest(random_history(), [failure](const History& history) {
    const auto broken = breaks_in_child([&](Progress& progress) {
      Shelf shelf(history.sizes[0], failure);
      for (const Numbers& numbers : history.calls) {
        ++progress.num_calls;
        allow_until_next_call(std::chrono::milliseconds(10));
        shelf.call(Choices(numbers));
      }
    });
    return broken ? std::optional(broken->num_calls) : std::nullopt;
  });
}

void expect_four_books(const History& history) {
  EXPECT_EQ(history.sizes, Sizes{3}) << "the smallest shelf that breaks";
  EXPECT_EQ(history.calls, std::vector<Numbers>(4)) << "missing numbers are 0: a book is put";
}

TEST(Shrink, ACrashShrinks) {
  expect_four_books(shortest_that_ends_in([] { ::raise(SIGSEGV); }));
}

TEST(Shrink, AHangShrinks) {
  expect_four_books(shortest_that_ends_in([] {
    for (volatile bool hangs = true; hangs;) continue;
  }));
}

TEST(Shrink, AnExitShrinks) {
  expect_four_books(shortest_that_ends_in([] { std::exit(0); }));
}

TEST(Shrink, AnExceptionShrinks) {
  expect_four_books(shortest_that_ends_in([] { throw 1; }));
}

TEST(Shrink, AFailedExpectationShrinks) {
  expect_four_books(shortest_that_ends_in([] { ADD_FAILURE(); }));
}

TEST(Shrink, CallsThatNeedEachOtherStay) {
  const auto breaks = [](const History& history) -> std::optional<std::size_t> {
    std::size_t num_met = 0;  // how many of 70, 3, 70 have come, in this order
    for (std::size_t i = 0; i < history.calls.size(); ++i) {
      num_met += history.calls[i] == Numbers{num_met == 1 ? 3u : 70u} ? 1 : 0;
      if (num_met == 3) return i + 1;
    }
    return std::nullopt;
  };
  const History history{.sizes = {9},
                        .calls = {{5}, {70}, {8}, {70}, {3}, {1}, {3}, {70}, {2}, {70}}};
  const History shrunk = shortest(history, breaks);
  EXPECT_EQ(shrunk.sizes, Sizes{1});
  EXPECT_EQ(shrunk.calls, (std::vector<Numbers>{{70}, {3}, {70}}));
}

// Calls on two objects, and the state is looked at in the end only. It breaks with a 3 on the
// second.
TEST(Shrink, ASecondObjectGoesThatIsNotNeeded) {
  const auto breaks = [](const History& history) -> std::optional<std::size_t> {
    const bool are_two = history.num_objects == 2;
    const auto broken = std::ranges::find(history.calls, are_two ? Numbers{5, 3} : Numbers{3});
    if (broken == history.calls.end()) return std::nullopt;
    return broken - history.calls.begin() + 1;
  };
  const History history{.sizes = {1},
                        .calls = {{2, 3}, {7}, {4}, {5, 3}, {}},
                        .num_objects = 2,
                        .looks_at_each_call = false};
  const History shrunk = shortest(history, breaks);
  EXPECT_EQ(shrunk.num_objects, 1u);
  EXPECT_TRUE(shrunk.looks_at_each_call);
  EXPECT_EQ(shrunk.calls, (std::vector<Numbers>{{3}}));
}

TEST(Shrink, TwoObjectsStayThatAreNeeded) {
  const auto breaks = [](const History& history) -> std::optional<std::size_t> {
    if (history.num_objects != 2) return std::nullopt;
    return history.calls.size();
  };
  EXPECT_EQ(shortest({.sizes = {1}, .calls = {{1}}, .num_objects = 2}, breaks).num_objects, 2u);
}

// A switch: each 1 turns it. A 2 breaks it while it is on, so that 1s can be dropped in pairs only.
TEST(Shrink, CallsThatUndoEachOtherGo) {
  const auto breaks = [](const History& history) -> std::optional<std::size_t> {
    bool is_on = true;
    for (std::size_t i = 0; i < history.calls.size(); ++i) {
      is_on ^= history.calls[i] == Numbers{1};
      if (is_on && history.calls[i] == Numbers{2}) return i + 1;
    }
    return std::nullopt;
  };
  const History shrunk = shortest({.sizes = {1}, .calls = {{1}, {3}, {1}, {2}}}, breaks);
  EXPECT_EQ(shrunk.calls, std::vector<Numbers>{{2}});
}

TEST(Shrink, NumbersShrinkOneByOne) {
  const auto breaks = [](const History& history) -> std::optional<std::size_t> {
    Choices choices(history.calls.at(0));
    const bool is_broken = choices.below(10) == 4 && choices.below(10) < 9 && choices.below(10) > 2;
    return is_broken ? std::optional<std::size_t>(1) : std::nullopt;
  };
  const History shrunk = shortest({.sizes = {1}, .calls = {{734, 128, 999, 55}}}, breaks);
  EXPECT_EQ(shrunk.calls, (std::vector<Numbers>{{4, 0, 3}}));
}

}  // namespace
}  // namespace kv::grader

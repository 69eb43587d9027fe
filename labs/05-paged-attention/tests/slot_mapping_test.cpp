// From positions to slots.

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "05-paged-attention/paged_attention.h"
#include "grader/harness/expectations.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

using Slots = std::vector<SlotId>;

Slots slots_of(const std::vector<BlockId>& table,
               std::size_t block_size,
               std::size_t start,
               std::size_t num_tokens,
               std::size_t padded_size = 0) {
  log_step({"build_slot_mapping(block_table, block_size, start, num_tokens, padded_size)",
            "build_slot_mapping({0}, block_size {1}, start {2}, num_tokens {3}, padded_size {4})"},
           table, block_size, start, num_tokens, padded_size);
  const Slots slots = build_slot_mapping(table, block_size, start, num_tokens, padded_size);
  log_result(slots);
  return slots;
}

void expect_slots(const Slots& actual, const Slots& expected) {
  expect_same("slots", expected, actual);
}

TEST(SlotMapping, GoesThroughTheTable) {
  SPEC("I10: slot = block_table[p / block_size] * block_size + p % block_size",
       "5.1 build_slot_mapping", "The slots of the positions");
  expect_slots(slots_of({5, 12, 3}, 4, 0, 10), {20, 21, 22, 23, 48, 49, 50, 51, 12, 13});
}

TEST(SlotMapping, BeginsAnywhere) {
  SPEC("the first slot is that of position start", "5.1 build_slot_mapping");
  const std::vector<BlockId> table = {5, 12, 3};
  for (const auto& [position, slot] : {std::pair{0, 80}, std::pair{15, 95}, std::pair{16, 192},
                                       std::pair{31, 207}, std::pair{32, 48}, std::pair{34, 50}}) {
    expect_slots(slots_of(table, 16, static_cast<std::size_t>(position), 1), {slot});
  }
  expect_slots(slots_of(table, 16, 30, 4), {206, 207, 48, 49});
}

TEST(SlotMapping, ManyBlocks) {
  SPEC("slots are 64-bit numbers: ids times block_size need not fit into 32",
       "5.1 build_slot_mapping");
  expect_slots(slots_of({300'000'000}, 16, 15, 1), {4'800'000'015});
  constexpr std::size_t kFar = std::size_t{1} << 32;
  expect_slots(slots_of({3}, 2 * kFar, kFar + 5, 1), {7 * SlotId{kFar} + 5});
  expect_slots(slots_of({3, 7}, kFar, kFar, 1), {7 * SlotId{kFar}});
}

TEST(SlotMapping, ManyTokens) {
  SPEC("any number of tokens has its slots", "5.1 build_slot_mapping");
  std::vector<BlockId> table(30'000);
  std::iota(table.rbegin(), table.rend(), 0);
  const Slots slots = slots_of(table, 3, 0, 90'000, 90'001);
  ASSERT_SAME(slots.size(), 90'001u) << "entries";
  for (std::size_t i = 0; i < 90'000; ++i) {
    ASSERT_SAME(slots[i], table[i / 3] * SlotId{3} + SlotId(i % 3)) << "at position " << i;
  }
  EXPECT_SAME(slots.back(), kPadSlotId) << "the last entry is padding";
}

TEST(SlotMapping, PadsAfterTheTokens) {
  SPEC("kPadSlotId fills up after the slots until there are padded_size entries",
       "5.1 build_slot_mapping", "followed by kPadSlotId");
  expect_slots(slots_of({2}, 4, 1, 2, 5), {9, 10, -1, -1, -1});
  expect_slots(slots_of({2}, 4, 1, 3, 2), {9, 10, 11});
  expect_slots(slots_of({}, 4, 0, 0, 2), {-1, -1});
  expect_slots(slots_of({2}, 4, 4, 0, 2), {-1, -1});
}

TEST(SlotMapping, RefusesAPositionPastTheTable) {
  SPEC("a position past the table is refused", "5.1 build_slot_mapping",
       "past the end of the table");
  expect_slots(slots_of({2, 7}, 4, 6, 2), {30, 31});
  EXPECT_REFUSED(slots_of({2, 7}, 4, 6, 3)) << "two blocks hold 8 positions";
  EXPECT_REFUSED(slots_of({}, 4, 0, 1)) << "no block, no position";
  EXPECT_REFUSED(slots_of({2}, 0, 0, 0)) << "blocks of no slots";
}

TEST(SlotMapping, RefusesSlotsThatDoNotExist) {
  SPEC("sums and products that do not fit, and ids that are none, are refused",
       "5.1 build_slot_mapping", "block_size of 0", "negative id", "does not fit");
  constexpr std::size_t kMax = std::numeric_limits<std::size_t>::max();
  expect_slots(slots_of({2, 7}, 4, 7, 1), {31});
  EXPECT_REFUSED(slots_of({2, 7}, 4, kMax, 1)) << "position 2^64 - 1";
  EXPECT_REFUSED(slots_of({2, 7}, 4, kMax - 1, 4)) << "the end wraps to 2";
  EXPECT_REFUSED(slots_of({2, 7}, 4, 4, kMax - 3)) << "the end wraps to 0";
  EXPECT_REFUSED(slots_of({0, 0, 0, 1}, kMax / 4 + 1, kMax, 1))
      << "2^62 slots a block: the last slot does not fit into a SlotId";
  EXPECT_REFUSED(slots_of({2, -1}, 1, 0, 2)) << "a slot of block -1 would be kPadSlotId";
  expect_slots(slots_of({2, -1}, 1, 0, 1), {2});
  expect_slots(slots_of({-1, 2}, 4, 4, 1), {8});
}

}  // namespace
}  // namespace kv::grader

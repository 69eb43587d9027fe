// The block table alone: blocks by id, positions, slots.

#include "04-kv-cache-manager/block_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "01-free-queue/tests/block_ids.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

const LoopsOfLab kLoops("each round of a loop goes on to the next block or token", 2'000'000);

using Slots = std::vector<SlotId>;

// A table that has blocks of its own, made for these ids.
class TableOfBlocks {
 public:
  TableOfBlocks(std::size_t block_size, const Ids& ids) : table_(block_size) {
    log_start("table",
              {"BlockTable(block_size, blocks)", "blocks of {0} tokens",
               "TableOfBlocks table({0}, {1});"},
              block_size, ids);
    for (const BlockId id : ids) blocks_.push_back({.block_id = id, .is_null = id == 0});
    append(0, ids.size());
  }

  const BlockTable& raw() const { return table_; }
  std::vector<KVCacheBlock>& blocks() { return blocks_; }

  void append(std::size_t first, std::size_t num) {
    std::vector<KVCacheBlock*> added;
    for (std::size_t i = first; i < first + num; ++i) added.push_back(&blocks_[i]);
    log_step({"append(new_blocks)", "append({0})"}, Blocks{ids_of(added)});
    table_.append(added);
    log_result_as("number of blocks: {0}", table_.num_blocks());
  }
  // Copy-on-write does this.
  void replace(std::size_t logical_block, KVCacheBlock& block) {
    log_step({"replace(logical_block, block)", "replace({0}, {1})"}, logical_block,
             Block{block.block_id});
    table_.replace(logical_block, block);
  }
  void expect_blocks(const Ids& expected) {
    expect_same("the blocks of the table to be", expected, ids_of(table_.blocks()));
    EXPECT_SAME(table_.num_blocks(), expected.size()) << "num_blocks()";
  }

  void expect_slot(std::size_t position, SlotId expected) {
    log_step({"slot(position)", "slot({0})"}, position);
    const SlotId slot = table_.slot(position);
    log_result(slot);
    expect_same("slot(" + draw(position) + ") to be", expected, slot);
  }
  void expect_no_slot(std::size_t position, const char* why) {
    log_step({"slot(position)", "slot({0})"}, position);
    EXPECT_REFUSED(table_.slot(position)) << why;
  }

  void expect_slots(std::size_t first, std::size_t num, const Slots& expected) {
    log_step({"slot_mapping(first_position, num_tokens)", "slot_mapping({0}, {1})"}, first, num);
    const Slots slots = table_.slot_mapping(first, num);
    log_result(slots);
    expect_same("slot_mapping(" + draw(first) + ", " + draw(num) + ") to be", expected, slots);
  }
  void expect_no_slots(std::size_t first, std::size_t num, const char* why) {
    log_step({"slot_mapping(first_position, num_tokens)", "slot_mapping({0}, {1})"}, first, num);
    EXPECT_REFUSED(table_.slot_mapping(first, num)) << why;
  }

 private:
  BlockTable table_;
  std::vector<KVCacheBlock> blocks_;
};

TEST(BlockTable, AppendsInTheOrderGiven) {
  SPEC("new blocks come after those in the table, in the order given", "4.1 BlockTable::append",
       "after those in the table", "in the order given");
  TableOfBlocks table(16, {5, 12});
  table.expect_blocks({5, 12});
  table.append(0, 0);
  table.expect_blocks({5, 12});
  table.append(0, 2);
  table.expect_blocks({5, 12, 5, 12});
}

TEST(BlockTable, LeavesTheBlocksAlone) {
  SPEC("a table counts no users: a block that is appended stays as it is", "4.1 BlockTable::append",
       "stay as they are");
  TableOfBlocks table(16, {5, 12, 3});
  for (KVCacheBlock& block : table.blocks()) {
    EXPECT_SAME(block.ref_cnt, 0) << "the pool counts users, not the table";
    EXPECT_HOLDS(!block.block_hash && block.prefix_id == 0 && block.next_same_prefix == nullptr &&
                 block.prev_free_block == nullptr && block.next_free_block == nullptr)
        << "append changed a field of #" << block.block_id;
  }
}

TEST(BlockTable, BlockSizesThatFit) {
  SPEC("blocks of 0 tokens, or of more than 2^31 - 1, are refused", "4.1 BlockTable::append");
  constexpr std::size_t kLargest = std::numeric_limits<std::int32_t>::max();
  EXPECT_REFUSED(BlockTable(0)) << "a block holds at least one token";
  EXPECT_REFUSED(BlockTable(kLargest + 1)) << "a slot would not fit into 64 bits";
  EXPECT_REFUSED(BlockTable(0x1'0000'0001)) << "the same";
  EXPECT_REFUSED(BlockTable(SIZE_MAX)) << "the same";
  EXPECT_SAME(BlockTable(kLargest).num_blocks(), 0u) << "a new table has no block";
  EXPECT_SAME(TableOfBlocks(1, {5, 2}).raw().num_blocks(), 2u) << "one token is enough";
}

TEST(BlockTable, SlotOfEachPosition) {
  SPEC("position 34 is token 2 of the third block", "4.2 BlockTable::slot", "at a position");
  TableOfBlocks table(16, {5, 12, 3});
  table.expect_slot(0, 80);
  table.expect_slot(15, 95);
  table.expect_slot(16, 192);
  table.expect_slot(31, 207);
  table.expect_slot(32, 48);
  table.expect_slot(34, 50);
  TableOfBlocks odd(3, {4, 2});
  odd.expect_slot(2, 14);
  odd.expect_slot(4, 7);
}

TEST(BlockTable, SlotsNeed64Bits) {
  SPEC("a slot can have a number of more than 32 bits", "4.2 BlockTable::slot", "at a position");
  constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
  TableOfBlocks table(65'536, {kLargest, 65'536});
  table.expect_slot(0, SlotId{kLargest} * 65'536);
  table.expect_slot(2 * 65'536 - 1, (SlotId{1} << 32) + 65'535);
  TableOfBlocks large(kLargest, {7, 5, kLargest});
  large.expect_slot(std::size_t{3} * kLargest - 1, SlotId{kLargest} * kLargest + kLargest - 1);
}

TEST(BlockTable, PositionsPastTheEndHaveNoSlot) {
  SPEC("a position past the last block is refused", "4.2 BlockTable::slot", "past the last block");
  TableOfBlocks table(16, {5, 12, 3});
  table.expect_slot(47, 63);
  for (const std::size_t position :
       {48ul, 48ul + 0x1'0000, 0x1'0000'0000ul, 0x10'0000'0000ul, SIZE_MAX}) {
    table.expect_no_slot(position, "the table has three blocks of 16 tokens");
  }
  TableOfBlocks empty(16, {});
  empty.expect_no_slot(0, "the table has no block");
}

TEST(BlockTable, TheNullBlockHasNoSlots) {
  SPEC("a position in a null block is refused: block 0 means that nothing is there",
       "4.2 BlockTable::slot", "null block");
  TableOfBlocks table(4, {0, 6});
  table.expect_no_slot(3, "its block is the null block");
  table.expect_slot(4, 24);
}

TEST(SlotMapping, OfARange) {
  SPEC("the slots of a range, block after block, in the order of the positions",
       "4.3 BlockTable::slot_mapping", "from first_position on", "in their order");
  TableOfBlocks table(4, {5, 2, 7});
  table.expect_slots(0, 12, {20, 21, 22, 23, 8, 9, 10, 11, 28, 29, 30, 31});
  table.expect_slots(2, 4, {22, 23, 8, 9});
  table.expect_slots(5, 1, {9});
  table.expect_slots(8, 4, {28, 29, 30, 31});
  KVCacheBlock other{.block_id = 6};
  table.replace(2, other);
  table.expect_slots(8, 4, {24, 25, 26, 27});
  TableOfBlocks tokens(1, {9, 4, 6});
  tokens.expect_slots(0, 3, {9, 4, 6});
}

TEST(SlotMapping, OfNoPositions) {
  SPEC("0 positions have no slots, and they can be anywhere", "4.3 BlockTable::slot_mapping",
       "empty vector for 0");
  TableOfBlocks table(4, {5});
  for (const std::size_t first : {0ul, 3ul, 4ul, 5ul, SIZE_MAX}) table.expect_slots(first, 0, {});
}

TEST(SlotMapping, RefusesAPositionWithoutASlot) {
  SPEC("if one position of the range has no slot, the call is refused",
       "4.3 BlockTable::slot_mapping", "one of the positions has no slot");
  TableOfBlocks table(4, {5, 2});
  table.expect_slots(7, 1, {11});
  table.expect_no_slots(7, 2, "position 8 has no block");
  table.expect_no_slots(8, 1, "position 8 has no block");
  table.expect_no_slots(0, SIZE_MAX, "there are 8 positions");
  table.expect_no_slots(1, SIZE_MAX, "the last position does not fit into 64 bits");
  table.expect_no_slots(SIZE_MAX, 1, "there are 8 positions");
  table.expect_no_slots(SIZE_MAX, 2, "the last position does not fit into 64 bits");
  table.expect_no_slots(0, 0x1'0000'0001, "there are 8 positions");
  TableOfBlocks hole(4, {5, 0, 2});
  hole.expect_no_slots(2, 8, "positions 4 to 7 are in the null block");
  hole.expect_slots(8, 4, {8, 9, 10, 11});
  TableOfBlocks end(4, {5, 0});
  end.expect_no_slots(0, 5, "position 4 is in the null block");
}

TEST(SlotMapping, AsLongAsMemoryAllows) {
  SPEC("a range can have more than 2^16 positions", "4.3 BlockTable::slot_mapping");
  TableOfBlocks table(70'000, {3});
  const Slots slots = table.raw().slot_mapping(1, 69'999);
  ASSERT_SAME(slots.size(), 69'999u) << "one slot for each position";
  EXPECT_SAME(slots[65'536], 3 * 70'000 + 65'537) << "the slot of position 65,537";
  constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
  TableOfBlocks large(kLargest, {7, 5, 9});
  large.expect_slots(std::size_t{2} * kLargest + 3, 2,
                     {SlotId{9} * kLargest + 3, SlotId{9} * kLargest + 4});
}

}  // namespace
}  // namespace kv::grader

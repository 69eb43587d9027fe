// The map from prefixes to blocks.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "02-block-pool/tests/pool_view.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

constexpr BlockId kNone = -1;  // no block

// The map, with a few blocks to put in. It records each call.
class RecordedMap {
 public:
  void insert(PrefixId prefix, BlockId id) {
    log_step({"insert(prefix, block)", "insert({0}, {1})"}, prefix, Block{id});
    map_.insert(prefix, blocks_[static_cast<std::size_t>(id)]);
    log_state("size", map_.size());
  }

  void pop(PrefixId prefix, BlockId id, BlockId expected) {
    log_step({"pop(prefix, block_id)", "pop({0}, {1})"}, prefix, id);
    const KVCacheBlock* popped = map_.pop(prefix, id);
    const std::string yours = draw_block(popped, blocks_);
    if (popped != nullptr && !yours.starts_with("#")) {
      log_result(yours);
    } else {
      log_result(Block{popped ? std::optional<std::int64_t>(popped->block_id) : std::nullopt});
    }
    log_state("size", map_.size());
    expect_same("pop(" + std::to_string(prefix) + ", " + std::to_string(id) + ") to give",
                name_of(expected), yours);
  }

  // A new map, in the place of the old one.
  void clear() {
    log_step({"clear()", "clear()"});
    map_.clear();
    log_state("size", map_.size());
  }

  void expect_block(PrefixId prefix, BlockId expected) {
    expect_same("get_one_block(" + std::to_string(prefix) + ") to give", name_of(expected),
                draw_block(map_.get_one_block(prefix), blocks_));
  }

  void expect_size(std::size_t expected) { expect_same("size() to give", expected, map_.size()); }

 private:
  static std::string name_of(BlockId id) {
    return id == kNone ? "nullptr" : "#" + std::to_string(id);
  }

  static std::vector<KVCacheBlock> numbered_blocks() {
    std::vector<KVCacheBlock> blocks(7);
    for (std::size_t id = 0; id < blocks.size(); ++id)
      blocks[id].block_id = static_cast<BlockId>(id);
    return blocks;
  }

  std::vector<KVCacheBlock> blocks_ = numbered_blocks();
  BlockHashToBlockMap map_ = {};
};

constexpr PrefixId kPrefix = 7;

const LoopsOfLab kLoops(
    "a walk over parents ends at a prefix that has none, a walk over duplicates at nullptr",
    2'200'000);

TEST(BlockMap, CountsPrefixes) {
  SPEC("size counts prefixes, not blocks", "3.4 BlockHashToBlockMap::insert");
  RecordedMap map;
  map.expect_size(0);
  map.insert(kPrefix, 1);
  map.insert(kPrefix, 2);
  map.expect_size(1);
  map.insert(kPrefix + 1, 3);
  map.expect_size(2);
}

TEST(BlockMap, FindsWhatWasInserted) {
  SPEC("an inserted block is found under its prefix, whatever its number is, and under no other",
       "3.5 BlockHashToBlockMap::get_one_block", "nullptr if none does");
  RecordedMap map;
  map.expect_block(kPrefix, kNone);
  map.insert(kPrefix, 1);
  map.expect_block(kPrefix, 1);
  map.expect_block(kPrefix + 1, kNone);
  map.expect_block(~kPrefix, kNone);
  map.expect_size(1);
  BlockId id = 2;
  for (const PrefixId prefix : {PrefixId{0}, ~PrefixId{0}}) {
    map.expect_block(prefix, kNone);
    map.insert(prefix, id);
    map.expect_block(prefix, id++);
  }
}

TEST(BlockMap, TheOldestAnswers) {
  SPEC("of several blocks with one prefix, the one inserted first answers",
       "3.5 BlockHashToBlockMap::get_one_block", "held the prefix the longest");
  RecordedMap map;
  for (const BlockId id : {2, 1, 3}) map.insert(kPrefix, id);
  map.expect_block(kPrefix, 2);
  map.expect_size(1);
}

// One of three blocks is popped and another one inserted: those that are left answer in their
// order.
void expect_order_without(BlockId popped) {
  RecordedMap map;
  for (const BlockId id : {1, 2, 3}) map.insert(kPrefix, id);
  map.pop(kPrefix, popped, popped);
  map.insert(kPrefix, 4);
  for (const BlockId id : {1, 2, 3, 4}) {
    if (id == popped) continue;
    map.expect_block(kPrefix, id);
    map.pop(kPrefix, id, id);
  }
  map.expect_size(0);
}

TEST(BlockMap, PopLeavesTheSiblings) {
  SPEC("pop takes out one block; its siblings stay, in their order", "3.6 BlockHashToBlockMap::pop",
       "Takes out the block with this id", "stay, in their order");
  RecordedMap map;
  for (const BlockId id : {1, 2, 3}) map.insert(kPrefix, id);
  map.pop(kPrefix, 2, 2);
  map.expect_block(kPrefix, 1);
  map.pop(kPrefix, 1, 1);
  map.expect_block(kPrefix, 3);
  map.expect_size(1);
  for (const BlockId popped : {1, 2, 3}) expect_order_without(popped);
}

// Blocks that held one prefix when the map was cleared hold it again, in another order.
void expect_order_after_clear() {
  RecordedMap map;
  for (const BlockId id : {1, 2, 3}) map.insert(kPrefix, id);
  map.clear();
  for (const BlockId id : {3, 2, 1}) map.insert(kPrefix, id);
  for (const BlockId id : {3, 2, 1}) {
    map.expect_block(kPrefix, id);
    map.pop(kPrefix, id, id);
  }
  map.expect_size(0);
}

TEST(BlockMap, EachIsAddedAfterTheOthers) {
  SPEC("blocks with one prefix answer in the order in which they were inserted",
       "3.6 BlockHashToBlockMap::pop", "3.4 Adds a block after");
  RecordedMap map;
  for (const BlockId id : {1, 2, 3}) map.insert(kPrefix, id);
  map.pop(kPrefix, 1, 1);
  map.expect_block(kPrefix, 2);
  expect_order_after_clear();
}

TEST(BlockMap, PopOfAnotherBlockLosesNothing) {
  SPEC("a block that does not hold the prefix is not popped, and nothing is lost",
       "3.6 BlockHashToBlockMap::pop", "nothing has changed");
  RecordedMap map;
  map.insert(kPrefix, 1);
  map.pop(kPrefix, 3, kNone);
  map.pop(kPrefix + 1, 1, kNone);
  map.expect_block(kPrefix, 1);
  for (const BlockId id : {2, 3}) map.insert(kPrefix, id);
  map.pop(kPrefix, 4, kNone);
  map.insert(kPrefix, 5);
  for (const BlockId id : {1, 2, 3, 5}) {
    map.expect_block(kPrefix, id);
    map.pop(kPrefix, id, id);
  }
}

TEST(BlockMap, APrefixGoesWithItsLastBlock) {
  SPEC("a prefix is forgotten with its last block", "3.6 BlockHashToBlockMap::pop",
       "forgotten with its last block");
  RecordedMap map;
  map.insert(kPrefix, 1);
  map.pop(kPrefix, 1, 1);
  map.expect_size(0);
  map.expect_block(kPrefix, kNone);
  map.insert(kPrefix, 2);
  map.expect_block(kPrefix, 2);
  map.clear();
  map.expect_block(kPrefix, kNone);
}

TEST(BlockMap, TheYoungestMayGo) {
  SPEC("after the youngest block is popped, the next one is added after those that are left",
       "3.6 BlockHashToBlockMap::pop");
  RecordedMap map;
  for (const BlockId id : {1, 2}) map.insert(kPrefix, id);
  map.pop(kPrefix, 2, 2);
  map.insert(kPrefix, 3);
  map.pop(kPrefix, 1, 1);
  map.expect_block(kPrefix, 3);
  map.pop(kPrefix, 3, 3);
  map.insert(kPrefix, 2);
  map.insert(kPrefix, 1);
  map.pop(kPrefix, 2, 2);
  map.expect_block(kPrefix, 1);
}

TEST(BlockMap, TheYoungestOfSeveralMayGo) {
  SPEC("after the youngest of several blocks is popped, all that are left keep their order",
       "3.6 BlockHashToBlockMap::pop", "stay, in their order");
  RecordedMap map;
  for (const BlockId id : {1, 2, 3}) map.insert(kPrefix, id);
  map.pop(kPrefix, 3, 3);
  map.insert(kPrefix, 4);
  for (const BlockId id : {1, 2, 4}) {
    map.expect_block(kPrefix, id);
    map.pop(kPrefix, id, id);
  }
  map.expect_size(0);
}

// Many blocks hold one prefix, and the youngest are popped first.
void expect_found_after_many() {
  constexpr BlockId kNumBlocks = 0x1'0000 + 8;
  std::vector<KVCacheBlock> blocks(kNumBlocks);
  BlockHashToBlockMap map;
  log_start("", {"", "a map of one prefix with 65544 blocks, of which the youngest are popped"});
  for (BlockId id = 0; id < kNumBlocks; ++id) {
    KVCacheBlock& block = blocks[static_cast<std::size_t>(id)];
    block.block_id = id;
    map.insert(kPrefix, block);
  }
  for (BlockId id = kNumBlocks; id-- > 0x1'0000;) {
    expect_same("pop of #" + std::to_string(id) + " to give", "#" + std::to_string(id),
                draw_block(map.pop(kPrefix, id), blocks));
  }
}

TEST(BlockMap, HoldsManyPrefixes) {
  SPEC("prefixes do not disturb each other, whatever their numbers are, nor do many duplicates",
       "3.6 BlockHashToBlockMap::pop");
  expect_found_after_many();
  constexpr std::size_t kNumBlocks = 70'000;  // enough to fill large pages
  std::vector<KVCacheBlock> blocks(kNumBlocks);
  BlockHashToBlockMap map;
  const auto expect_block = [&](const char* call, std::size_t i, const KVCacheBlock* expected,
                                const KVCacheBlock* yours) {
    if (yours == expected) return true;
    ADD_FAILURE() << "expected " << call << " of prefix " << i << " to give "
                  << draw_block(expected, blocks) << ", yours is " << draw_block(yours, blocks);
    return false;
  };
  log_start("", {"", "a map of 70000 prefixes with one block each, every third of them popped"});
  const auto prefix_of = [](std::size_t i) {
    return i % 2 == 0 ? PrefixId{i} : PrefixId{i} << 40;  // dense ones, and ones like hashes
  };
  for (std::size_t i = 0; i < kNumBlocks; ++i) {
    blocks[i].block_id = static_cast<BlockId>(i);
    map.insert(prefix_of(i), blocks[i]);
  }
  for (std::size_t i = 0; i < kNumBlocks; i += 3) {
    if (!expect_block("pop", i, &blocks[i], map.pop(prefix_of(i), blocks[i].block_id))) return;
  }
  for (std::size_t i = 0; i < kNumBlocks; ++i) {
    KVCacheBlock* expected = i % 3 == 0 ? nullptr : &blocks[i];
    if (!expect_block("get_one_block", i, expected, map.get_one_block(prefix_of(i)))) return;
  }
}

}  // namespace

}  // namespace kv::grader

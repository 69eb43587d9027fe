// The map from prefixes to blocks.

#include <gtest/gtest.h>

#include "02-block-pool/pool_view.h"
#include "grader/harness/story.h"

namespace kv::grader {
namespace {

constexpr PrefixId kPrefix = 7;

struct FourBlocks {
  KVCacheBlock a{.block_id = 1};
  KVCacheBlock b{.block_id = 2};
  KVCacheBlock c{.block_id = 3};
  BlockHashToBlockMap map = {};
};

TEST(BlockMap, CountsPrefixes) {
  PINS("size counts prefixes, not blocks", "3.4 BlockHashToBlockMap::insert");
  FourBlocks blocks;
  EXPECT_EQ(blocks.map.size(), 0u);
  blocks.map.insert(kPrefix, blocks.a);
  blocks.map.insert(kPrefix, blocks.b);
  EXPECT_EQ(blocks.map.size(), 1u);
  blocks.map.insert(kPrefix + 1, blocks.c);
  EXPECT_EQ(blocks.map.size(), 2u);
}

TEST(BlockMap, FindsWhatWasInserted) {
  PINS("an inserted block is found under its prefix, and under no other",
       "3.5 BlockHashToBlockMap::get_one_block");
  FourBlocks blocks;
  EXPECT_EQ(blocks.map.get_one_block(kPrefix), nullptr);
  blocks.map.insert(kPrefix, blocks.a);
  EXPECT_EQ(blocks.map.get_one_block(kPrefix), &blocks.a);
  EXPECT_EQ(blocks.map.get_one_block(kPrefix + 1), nullptr);
  EXPECT_EQ(blocks.map.get_one_block(~kPrefix), nullptr);
  EXPECT_EQ(blocks.map.size(), 1u);
}

TEST(BlockMap, TheOldestAnswers) {
  PINS("of several blocks with one prefix, the one inserted first answers",
       "3.5 BlockHashToBlockMap::get_one_block");
  FourBlocks blocks;
  blocks.map.insert(kPrefix, blocks.b);
  blocks.map.insert(kPrefix, blocks.a);
  blocks.map.insert(kPrefix, blocks.c);
  EXPECT_EQ(blocks.map.get_one_block(kPrefix), &blocks.b);
  EXPECT_EQ(blocks.map.size(), 1u) << "size() counts prefixes";
}

TEST(BlockMap, PopLeavesTheSiblings) {
  PINS("pop takes out one block; its siblings stay, in their order",
       "3.6 BlockHashToBlockMap::pop");
  FourBlocks blocks;
  for (KVCacheBlock* block : {&blocks.a, &blocks.b, &blocks.c}) blocks.map.insert(kPrefix, *block);
  EXPECT_EQ(blocks.map.pop(kPrefix, 2), &blocks.b);
  EXPECT_EQ(blocks.map.get_one_block(kPrefix), &blocks.a);
  EXPECT_EQ(blocks.map.pop(kPrefix, 1), &blocks.a);
  EXPECT_EQ(blocks.map.get_one_block(kPrefix), &blocks.c);
  EXPECT_EQ(blocks.map.size(), 1u);
}

TEST(BlockMap, PopOfAnotherBlockLosesNothing) {
  PINS("a block that does not hold the prefix is not popped, and nothing is lost",
       "3.6 BlockHashToBlockMap::pop");
  FourBlocks blocks;
  blocks.map.insert(kPrefix, blocks.a);
  EXPECT_EQ(blocks.map.pop(kPrefix, 3), nullptr);
  EXPECT_EQ(blocks.map.pop(kPrefix + 1, 1), nullptr);
  EXPECT_EQ(blocks.map.get_one_block(kPrefix), &blocks.a);
}

TEST(BlockMap, APrefixGoesWithItsLastBlock) {
  PINS("a prefix is forgotten with its last block", "3.6 BlockHashToBlockMap::pop");
  FourBlocks blocks;
  blocks.map.insert(kPrefix, blocks.a);
  blocks.map.pop(kPrefix, 1);
  EXPECT_EQ(blocks.map.size(), 0u);
  EXPECT_EQ(blocks.map.get_one_block(kPrefix), nullptr);
  blocks.map.insert(kPrefix, blocks.b);
  EXPECT_EQ(blocks.map.get_one_block(kPrefix), &blocks.b);
}

TEST(BlockMap, HoldsManyPrefixes) {
  PINS("prefixes do not disturb each other, whatever their numbers are",
       "3.6 BlockHashToBlockMap::pop");
  constexpr std::size_t kNumBlocks = 2000;
  std::vector<KVCacheBlock> blocks(kNumBlocks);
  BlockHashToBlockMap map;
  const auto prefix_of = [](std::size_t i) {
    return i % 2 == 0 ? PrefixId{i} : PrefixId{i} << 40;  // dense ones, and ones like hashes
  };
  for (std::size_t i = 0; i < kNumBlocks; ++i) {
    blocks[i].block_id = static_cast<BlockId>(i);
    map.insert(prefix_of(i), blocks[i]);
  }
  for (std::size_t i = 0; i < kNumBlocks; i += 3) {
    ASSERT_EQ(map.pop(prefix_of(i), blocks[i].block_id), &blocks[i]);
  }
  for (std::size_t i = 0; i < kNumBlocks; ++i) {
    ASSERT_EQ(map.get_one_block(prefix_of(i)), i % 3 == 0 ? nullptr : &blocks[i]) << "prefix " << i;
  }
}

}  // namespace
}  // namespace kv::grader

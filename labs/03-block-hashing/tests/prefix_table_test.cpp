// Which prefixes are the same, and what both forms of PrefixTable promise.

#include <gtest/gtest.h>

#include "02-block-pool/tests/pool_view.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

constexpr const char* kIsSame = "3.7 is_same";

// Two blocks that differ in nothing, each with memory of its own.
struct TwoBlocks {
  BlockContent left() const { return {left_parent, left_tokens, left_keys}; }
  BlockContent right() const { return {right_parent, right_tokens, right_keys}; }

  void expect_same(bool expected) const {
    EXPECT_EQ(is_same(left(), right()), expected);
    EXPECT_EQ(is_same(right(), left()), expected);
  }

  std::optional<PrefixId> left_parent = 7, right_parent = 7;
  std::vector<TokenId> left_tokens = {1, 2, 3}, right_tokens = {1, 2, 3};
  ExtraKeys left_keys = {"lora=poet", "salt=s"}, right_keys = {"lora=poet", "salt=s"};
};

TEST(SamePrefix, ComparesParents) {
  SPEC("equal tokens behind another parent, or behind none, are another prefix", kIsSame,
       "equal parents");
  TwoBlocks blocks;
  blocks.expect_same(true);
  blocks.right_parent = 8;
  blocks.expect_same(false);
  blocks.right_parent = std::nullopt;
  blocks.expect_same(false);
  blocks.left_parent = std::nullopt;
  blocks.expect_same(true);
}

TEST(SamePrefix, ComparesTokens) {
  SPEC("blocks that differ in one token, or in their number, are other prefixes", kIsSame,
       "equal tokens");
  for (std::size_t i = 0; i < 3; ++i) {
    TwoBlocks blocks;
    blocks.right_tokens[i] = 9;
    blocks.expect_same(false);
  }
  TwoBlocks blocks;
  blocks.right_tokens.pop_back();
  blocks.expect_same(false);
}

TEST(SamePrefix, ComparesExtraKeys) {
  SPEC("blocks with other extra keys, or the same in another order, are other prefixes", kIsSame,
       "equal extra keys");
  TwoBlocks blocks;
  blocks.right_keys = {"lora=poet", "salt=t"};
  blocks.expect_same(false);
  blocks.right_keys = {"salt=s", "lora=poet"};
  blocks.expect_same(false);
  blocks.right_keys = {"lora=poet"};
  blocks.expect_same(false);
}

// [1 2 | 3 4], block by block.
class PrefixIdentity : public testing::Test {
 public:
  PrefixIdentity() { update_block_hashes(request_); }

  std::optional<PrefixId> find(std::size_t i, std::optional<PrefixId> parent) const {
    return table_.find(request_.block_hashes[i], content_of(request_, i, parent));
  }
  PrefixId intern(std::size_t i, std::optional<PrefixId> parent) {
    return table_.intern(request_.block_hashes[i], content_of(request_, i, parent));
  }

 protected:
  Request request_{.request_id = "r", .block_size = 2, .token_ids = {1, 2, 3, 4}};
  PrefixTable table_{2};
};

TEST_F(PrefixIdentity, AskingChangesNothing) {
  SPEC("find gives the same answer every time", "3.8 PrefixTable::find");
  EXPECT_EQ(find(0, std::nullopt), find(0, std::nullopt));
}

TEST_F(PrefixIdentity, EqualPrefixesAreOne) {
  SPEC("interning an equal prefix gives the same identity, and find gives it too",
       "3.9 PrefixTable::intern", "3.8 a prefix that is held");
  const PrefixId first = intern(0, std::nullopt);
  const PrefixId second = intern(1, first);
  EXPECT_NE(first, second);
  EXPECT_EQ(intern(0, std::nullopt), first);
  EXPECT_EQ(find(0, std::nullopt), first);
  EXPECT_EQ(find(1, first), second);
}

TEST_F(PrefixIdentity, ReleasedOnceOfTwice) {
  SPEC("a prefix that is held twice and released once is still found", "3.10 PrefixTable::release",
       "3.9 held once more", "Held once less");
  const PrefixId first = intern(0, std::nullopt);
  intern(0, std::nullopt);
  table_.release(first);
  EXPECT_EQ(find(0, std::nullopt), first);
}

TEST_F(PrefixIdentity, HeldManyTimes) {
  SPEC("a prefix that is held 2^16 times more than it is released is still found",
       "3.10 PrefixTable::release");
  const PrefixId first = intern(0, std::nullopt);
  for (int i = 0; i < 0x1'0000; ++i) intern(0, std::nullopt);
  table_.release(first);
  EXPECT_EQ(find(0, std::nullopt), first);
}

TEST_F(PrefixIdentity, NothingIsLeftBehind) {
  SPEC("when no prefix is held any more, the table is empty", "3.10 PrefixTable::release",
       "is erased", "its parent no longer");
  const PrefixId first = intern(0, std::nullopt);
  const PrefixId second = intern(1, first);
  table_.release(first);
  EXPECT_EQ(find(1, first), second) << "a child holds its parent";
  table_.release(second);
  EXPECT_EQ(table_.size(), 0u);
}

}  // namespace
}  // namespace kv::grader

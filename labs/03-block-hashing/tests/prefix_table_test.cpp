// Which prefixes are the same, and what both forms of PrefixTable promise.

#include <gtest/gtest.h>

#include "02-block-pool/tests/pool_view.h"
#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

constexpr const char* kIsSame = "3.7 is_same";

// "tokens [1 2 3], keys [lora=poet] behind 7"
std::string draw(const BlockContent& content) {
  return "tokens " + grader::draw(content.token_ids) + ", keys " +
         grader::draw(content.extra_keys) +
         (content.parent ? ", behind " + std::to_string(*content.parent) : ", without a parent");
}

// Two blocks that differ in nothing, each with memory of its own.
struct TwoBlocks {
  BlockContent left() const { return {left_parent, left_tokens, left_keys}; }
  BlockContent right() const { return {right_parent, right_tokens, right_keys}; }

  void expect_same(bool expected) const {
    for (const bool is_swapped : {false, true}) {
      log_step({"is_same(left, right)", "is_same({0}; {1})"}, draw(is_swapped ? right() : left()),
               draw(is_swapped ? left() : right()));
      const bool yours = is_swapped ? is_same(right(), left()) : is_same(left(), right());
      log_result(yours);
      grader::expect_same("is_same to give", expected, yours);
    }
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
  blocks.right_keys = {"lora=poetsalt=s"};
  blocks.expect_same(false);
}

// [1 2 | 3 4], block by block.
class PrefixIdentity : public testing::Test {
 public:
  PrefixIdentity() { update_block_hashes(request_); }

  std::optional<PrefixId> find(std::size_t i, std::optional<PrefixId> parent) const {
    const BlockContent content = content_of(request_, i, parent);
    log_step({"find(hash, content)", "find({0})"}, draw(content));
    const auto prefix = table_.find(request_.block_hashes[i], content);
    log_result(grader::draw(prefix));
    log_state("size", table_.size());
    return prefix;
  }
  PrefixId intern(std::size_t i, std::optional<PrefixId> parent) {
    const BlockContent content = content_of(request_, i, parent);
    log_step({"intern(hash, content)", "intern({0})"}, draw(content));
    const PrefixId prefix = table_.intern(request_.block_hashes[i], content);
    log_result(prefix);
    log_state("size", table_.size());
    return prefix;
  }
  void release(PrefixId prefix) {
    log_step({"release(prefix)", "release({0})"}, prefix);
    table_.release(prefix);
    log_returned();
    log_state("size", table_.size());
  }

 protected:
  Request request_{.request_id = "r", .block_size = 2, .token_ids = {1, 2, 3, 4}};
  PrefixTable table_{2};
};

TEST_F(PrefixIdentity, AskingChangesNothing) {
  SPEC("find gives the same answer every time", "3.8 PrefixTable::find");
  const auto first = find(0, std::nullopt);
  EXPECT_SAME(find(0, std::nullopt), first) << "the second answer";
}

TEST_F(PrefixIdentity, EqualPrefixesAreOne) {
  SPEC("interning an equal prefix gives the same identity, and find gives it too",
       "3.9 PrefixTable::intern", "3.8 a prefix that is held");
  const PrefixId first = intern(0, std::nullopt);
  const PrefixId second = intern(1, first);
  EXPECT_DIFFERENT(first, second) << "[1 2] and [1 2 3 4] are two prefixes";
  EXPECT_SAME(intern(0, std::nullopt), first) << "the prefix of [1 2], interned a second time";
  EXPECT_SAME(find(0, std::nullopt), first) << "the prefix of [1 2]";
  EXPECT_SAME(find(1, first), second) << "the prefix of [1 2 3 4]";
}

TEST_F(PrefixIdentity, ReleasedOnceOfTwice) {
  SPEC("a prefix that is held twice and released once is still found", "3.10 PrefixTable::release",
       "3.9 held once more", "Held once less");
  const PrefixId first = intern(0, std::nullopt);
  intern(0, std::nullopt);
  release(first);
  EXPECT_SAME(find(0, std::nullopt), first) << "the prefix of [1 2]";
}

TEST_F(PrefixIdentity, HeldManyTimes) {
  SPEC("a prefix that is held 2^16 times more than it is released is still found",
       "3.10 PrefixTable::release");
  const PrefixId first = intern(0, std::nullopt);
  log_step("the same intern 2^16 times");
  for (int i = 0; i < 0x1'0000; ++i) {
    table_.intern(request_.block_hashes[0], content_of(request_, 0, std::nullopt));
  }
  release(first);
  EXPECT_SAME(find(0, std::nullopt), first) << "the prefix of [1 2]";
}

TEST_F(PrefixIdentity, NothingIsLeftBehind) {
  SPEC("when no prefix is held any more, the table is empty", "3.10 PrefixTable::release",
       "is erased", "its parent no longer");
  const PrefixId first = intern(0, std::nullopt);
  const PrefixId second = intern(1, first);
  intern(1, first);
  release(first);
  EXPECT_SAME(find(1, first), second) << "a child holds its parent";
  release(second);
  EXPECT_SAME(find(1, first), second) << "the child is held once more than it was released";
  release(second);
  EXPECT_SAME(table_.size(), 0u) << "size() when no prefix is held";
}

}  // namespace
}  // namespace kv::grader

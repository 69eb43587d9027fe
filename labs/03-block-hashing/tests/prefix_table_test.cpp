// Which prefixes are the same, and what both forms of PrefixTable promise.

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "03-block-hashing/tests/colliding_blocks.h"
#include "03-block-hashing/tests/engine_fixture.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"
#include "grader/harness/small_stack.h"

namespace kv::grader {
namespace {

constexpr const char* kIsSame = "3.7 is_same";

// "tokens [1 2 3], keys [lora=poet] after 7"
std::string draw(const BlockContent& content) {
  return "tokens " + grader::draw(content.token_ids) + ", keys " +
         grader::draw(content.extra_keys) +
         (content.parent ? ", after " + std::to_string(*content.parent) : ", without a parent");
}

// Compares each block with a copy of each; they differ in one part only. content_of: a block with
// this part.
template <class Part, class ContentOf>
void expect_told_apart(const std::vector<std::pair<std::string, Part>>& parts,
                       ContentOf content_of) {
  log_step("is_same of each of " + std::to_string(parts.size()) + " blocks with each of them");
  const auto copies = parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = 0; j < parts.size(); ++j) {
      if (is_same(content_of(parts[i].second), content_of(copies[j].second)) == (i == j)) continue;
      ADD_FAILURE() << "expected is_same to give " << grader::draw(i == j) << " for blocks with "
                    << parts[i].first << " and with " << parts[j].first << ", yours gives "
                    << grader::draw(i != j);
      return;
    }
  }
}

TEST(SamePrefix, ComparesParents) {
  SPEC("equal tokens after another parent, or after none, are another prefix", kIsSame,
       "equal parents");
  const Tokens tokens = {1, 2, 3};
  const ExtraKeys keys = {"lora=poet"};
  const auto after = [&](std::optional<PrefixId> parent) {
    return BlockContent{parent, tokens, keys};
  };
  std::vector<std::pair<std::string, std::optional<PrefixId>>> parents = {{"no parent", {}}};
  for (const PrefixId id : {0ul, 7ul, 8ul, 7 + 0x1'0000'0000ul, ~0ul})
    parents.push_back({"parent " + std::to_string(id), id});
  expect_told_apart(parents, after);
}

TEST(SamePrefix, ComparesTokens) {
  SPEC("a block that differs in a token, in their order or in their number is another prefix",
       kIsSame, "equal tokens");
  const ExtraKeys keys = {"lora=poet"};
  const auto with = [&](std::span<const TokenId> tokens) { return BlockContent{7, tokens, keys}; };
  std::vector<std::pair<std::string, Tokens>> blocks;
  for (const Tokens& tokens : std::initializer_list<Tokens>{
           {1, 2}, {1, 2, 3}, {1, 3, 2}, {3, 2, 1}, {9, 2, 3}, {1, 9, 3}, {1, 2, -3}})
    blocks.push_back({"tokens " + grader::draw(tokens), tokens});
  for (const TokenId last : {0x1'0003, 0x100'0000, 0x100'0001, INT32_MIN, INT32_MAX})
    blocks.push_back({"tokens [1 2 " + std::to_string(last) + "]", {1, 2, last}});
  for (const std::size_t size : {300u, 5'000u}) {
    for (const TokenId last : {5, 6}) {
      blocks.push_back(
          {std::to_string(size) + " tokens, the last " + std::to_string(last), Tokens(size, 5)});
      blocks.back().second.back() = last;
    }
  }
  expect_told_apart(blocks, with);
  const Tokens& tokens = blocks[1].second;
  EXPECT_SAME(is_same(with(tokens), with(std::span(tokens).first(2))), false)
      << "[1 2 3] and its first two tokens, in the same memory";
}

TEST(SamePrefix, ComparesExtraKeys) {
  SPEC("blocks with other extra keys, or the same in another order, are other prefixes", kIsSame,
       "equal extra keys");
  const Tokens tokens = {1, 2, 3};
  expect_told_apart(different_keys(), [&](const ExtraKeys& keys) {
    return BlockContent{7, tokens, keys};
  });
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
  // A request may end while its prefixes are held.
  void expect_copied() {
    Request other = request_of({5, 6}, 2);
    update_block_hashes(other);
    const Request same = other;
    log_step("intern of [5 6]; then its request gets other tokens and an adapter");
    const auto prefix = table_.intern(other.block_hashes[0], content_of(other, 0, std::nullopt));
    other.token_ids = {7, 8};
    other.block_extra_keys[0] = {"lora=poet"};
    EXPECT_SAME(table_.find(same.block_hashes[0], content_of(same, 0, std::nullopt)),
                std::optional(prefix))
        << "the prefix of [5 6]";
  }

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
  expect_copied();
}

TEST_F(PrefixIdentity, ReleasedOnceOfTwice) {
  SPEC("a prefix that is held twice and released once is still found", "3.10 PrefixTable::release",
       "3.9 held once more", "Held once less");
  const PrefixId first = intern(0, std::nullopt);
  intern(0, std::nullopt);
  release(first);
  EXPECT_SAME(find(0, std::nullopt), first) << "the prefix of [1 2]";
}

// The prefixes of [1 2 | i i] for many i are held, and then no longer.
void hold_by_many_children(PrefixTable& table, PrefixId parent, BlockHash parent_hash) {
  const ExtraKeys no_keys;
  std::vector<PrefixId> children;
  log_step("intern of 2^16 blocks after [1 2], and release of each");
  for (TokenId i = 0; i < 0x1'0000; ++i) {
    const Tokens tokens = {i, i};
    children.push_back(
        table.intern(hash_block_tokens(parent_hash, tokens, no_keys), {parent, tokens, no_keys}));
  }
  for (const PrefixId child : children) table.release(child);
}

// Each prefix of a long chain is held by the one after it only, and then the last one is released.
void expect_gone_with_its_last(PrefixTable& table) {
  Request request = request_of(Tokens(6'000, 5), 2);
  update_block_hashes(request);
  log_step(
      "intern of 3,000 blocks, each after the one before and released then; the last with 64 KiB "
      "of stack");
  std::optional<PrefixId> parent;
  for (std::size_t i = 0; i < request.block_hashes.size(); ++i) {
    const PrefixId prefix = table.intern(request.block_hashes[i], content_of(request, i, parent));
    if (parent) table.release(*parent);
    parent = prefix;
  }
  with_small_stack([&] { table.release(*parent); });
  EXPECT_SAME(table.size(), 0u) << "size() when no prefix is held";
}

TEST_F(PrefixIdentity, HeldManyTimes) {
  SPEC("a prefix that is held 2^16 times, or has had 2^16 children, is still found",
       "3.10 PrefixTable::release");
  allow_steps(40'000'000);
  const PrefixId first = intern(0, std::nullopt);
  log_step("the same intern 2^16 times");
  for (int i = 0; i < 0x1'0000; ++i) {
    table_.intern(request_.block_hashes[0], content_of(request_, 0, std::nullopt));
  }
  release(first);
  hold_by_many_children(table_, first, request_.block_hashes[0]);
  EXPECT_SAME(find(0, std::nullopt), first) << "the prefix of [1 2]";
}

TEST_F(PrefixIdentity, NothingIsLeft) {
  SPEC("when no prefix is held any more, the table is empty", "3.10 PrefixTable::release",
       "is erased", "its parent no longer", "fixed amount of stack");
  const PrefixId first = intern(0, std::nullopt);
  const PrefixId second = intern(1, first);
  intern(1, first);
  release(first);
  EXPECT_SAME(find(1, first), second) << "a child holds its parent";
  EXPECT_SAME(intern(1, first), second) << "the prefix of [1 2 3 4], whose parent only it holds";
  release(second);
  release(second);
  EXPECT_SAME(find(1, first), second) << "the child is held once more than it was released";
  release(second);
  EXPECT_SAME(table_.size(), 0u) << "size() when no prefix is held";
  expect_gone_with_its_last(table_);
}

}  // namespace
}  // namespace kv::grader

// Blocks that another request has cached, or that a fork has only a part of.

#include "04-kv-cache-manager/tests/recorded_manager.h"

namespace kv::grader {
namespace {

constexpr const char* kUnshare = "4.11 unshare_blocks";

TEST(CopyOnWrite, BlocksThatTheOtherOneCached) {
  SPEC("parent and child have computed the same drafts: what one has cached counts for both",
       kUnshare, "counts as cached");
  for (const auto& [first, second] : {std::pair{"A", "B"}, {"B", "A"}}) {
    RecordedManager manager({12, 2});
    manager.admit("A", {1, 2, 3});
    manager.expect_allocated("A", 7, Ids{1, 2, 3, 4});
    manager.compute("A", 7);
    manager.fork("A", "B");
    for (const char* name : {"A", "B"}) manager.append(name, {4, 5, 6, 7, 8});
    manager.request(first).block_hashes[2] = 0;
    manager.expect_allocated(first, 1, Ids{5}, {}, {{4, 5, 1}});
    manager.expect_cached({1, 2, 3, 5});
    manager.evict({2});
    manager.expect_allocated(second, 1, Ids{});
    manager.expect_cached({1, 3, 4, 5});
    manager.audit();
  }
}

TEST(CopyOnWrite, AfterABlockThatTheOtherOneCached) {
  SPEC("a full block after the last one that the other has cached is cached by this one", kUnshare,
       "counts as cached");
  RecordedManager manager({12, 2});
  manager.admit("A", {1, 2, 3});
  manager.expect_allocated("A", 7, Ids{1, 2, 3, 4});
  manager.compute("A", 7);
  manager.fork("A", "B");
  for (const char* name : {"A", "B"}) manager.append(name, {4, 5, 6, 7, 8});
  manager.expect_allocated("A", 1, Ids{5}, {}, {{4, 5, 1}});
  manager.free("A");
  manager.expect_allocated("B", 1, std::nullopt, {.num_lookahead_tokens = 100});
  manager.evict({3});
  manager.expect_allocated("B", 1, Ids{});
  manager.expect_cached({1, 2, 3, 4, 5});
  manager.audit();
}

// B holds #2 and #3 alone: A has filled and cached them, and is gone. B writes into #2 next, and #3
// has no slot that B has computed. Once #2 is evicted, it is B's own.
void expect_later_block_replaced(bool is_next_evicted) {
  RecordedManager manager({10, 2});
  manager.admit("A", {1, 2, 3});
  manager.expect_allocated("A", 7, Ids{1, 2, 3, 4});
  manager.compute("A", 3);
  manager.fork("A", "B");
  manager.append("A", {4, 5, 6, 7});
  manager.compute("A", 4);
  manager.expect_allocated("A", 1, Ids{5}, {}, {{4, 5, 1}});
  manager.free("A");
  manager.append("B", {9});
  if (is_next_evicted) {
    manager.evict({2});
    manager.expect_allocated("B", 1, Ids{6});
    manager.expect_table("B", {1, 2, 6, 4});
    manager.expect_free({7, 8, 9, 5, 3});
  } else {
    manager.expect_allocated("B", 1, Ids{6, 7}, {}, {{2, 6, 1}});
    manager.expect_table("B", {1, 6, 7, 4});
    manager.expect_free({8, 9, 5, 3, 2});
  }
  manager.audit();
}

// B holds #2, in which it has computed one token, alone: A has filled and cached it, and is gone.
// Z takes the block that is left. next: the tokens of B; 4 5 are those of A.
void expect_cached_block_stays(const Tokens& next, bool is_hash_0) {
  RecordedManager manager({5, 2});
  manager.admit("A", {1, 2, 3});
  manager.expect_allocated("A", 5, Ids{1, 2, 3});
  manager.compute("A", 3);
  manager.fork("A", "B");
  manager.append("A", {4, 5});
  manager.compute("A", 2);
  if (is_hash_0) manager.request("A").block_hashes[1] = 0;
  manager.expect_allocated("A", 1, Ids{4}, {}, {{3, 4, 1}});
  manager.expect_cached({1, 2});
  manager.free("A");
  manager.start("Z", {7});
  manager.append("B", next);
  const ManagerState before = manager.state();
  manager.expect_allocated("B", 1, std::nullopt);
  manager.expect_unchanged(before);
  manager.free("Z");
  manager.expect_allocated("B", 1, Ids{4}, {}, {{2, 4, 1}});
  manager.expect_table("B", {1, 4, 3});
  manager.expect_cached({1, 2, 4});
  manager.audit();
}

TEST(CopyOnWrite, ABlockThatIsCachedIsNotWritten) {
  SPEC("a block that another request has cached is not written, even if that request is gone",
       kUnshare, "or has cached", "freed the last first", "nullopt when fewer blocks are free");
  for (const bool is_hash_0 : {false, true}) expect_cached_block_stays({9}, is_hash_0);
  expect_cached_block_stays({4, 5}, false);
  for (const bool is_next_evicted : {true, false}) expect_later_block_replaced(is_next_evicted);
}

// B is a fork of A with fewer tokens, so that a block which A has filled is not full for B. A stays
// as it was, and B gets 9 as its next token.
void expect_block_of_parent_stays(std::size_t num_kept, const std::vector<BlockCopy>& copies) {
  RecordedManager manager({8, 4});
  manager.start("A", {1, 2, 3, 4, 5, 6, 7, 8});
  manager.fork("A", "B");
  manager.keep("B", num_kept);
  manager.expect_allocated("B", 1, Ids{3}, {}, copies);
  manager.compute("B", 1);
  manager.decode("B", 9);
  manager.expect_table("A", {1, 2});
  manager.expect_table("B", {1, 3});
  manager.expect_cached(num_kept == 7 ? Ids{1, 2, 3} : Ids{1, 2});
  manager.free("A");
  manager.start("C", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  manager.expect_table("C", {1, 2, 4});
  manager.audit();
}

TEST(CopyOnWrite, AForkWithFewerTokens) {
  SPEC("a fork with fewer tokens than its parent does not write into the blocks of the others",
       kUnshare, "full of its token_ids", "not computed", "4.10 take tokens off its end");
  expect_block_of_parent_stays(7, {{2, 3, 2}});
  expect_block_of_parent_stays(6, {{2, 3, 1}});
  expect_block_of_parent_stays(5, {});
  RecordedManager manager({10, 1});
  manager.start("A", {1, 2, 3, 4});
  manager.fork("A", "B");
  manager.keep("B", 3);
  manager.fork("B", "C");
  manager.keep("C", 2);
  manager.expect_allocated("C", 1, Ids{5, 6});
  manager.expect_allocated("B", 1, Ids{7});
  manager.expect_table("B", {1, 2, 3, 7});
  manager.expect_table("C", {1, 2, 5, 6});
  manager.audit();
}

}  // namespace
}  // namespace kv::grader

// The first write to a block that a fork shares.

#include "04-kv-cache-manager/tests/recorded_manager.h"

namespace kv::grader {
namespace {

constexpr const char* kUnshare = "4.11 unshare_blocks";

TEST(CopyOnWrite, TheFirstWriteTakesABlock) {
  SPEC(
      "the first to write to a shared partial block gets a block of its own, and the copy is "
      "listed",
      kUnshare, "blocks of its own", "a copy of its computed slots",
      "4.6 next num_new_tokens tokens");
  RecordedManager manager({6, 4});
  manager.start("A", {1, 2, 3});
  manager.fork("A", "B");
  manager.append("B", {9});
  manager.expect_allocation_refused("B", 0, "there is nothing to allocate for");
  manager.expect_needed("B", 1, 0);
  manager.expect_allocated("B", 1, Ids{2}, {}, {{1, 2, 3}});
  manager.compute("B", 1);
  manager.expect_table("B", {2});
  manager.expect_table("A", {1});
  manager.append("A", {4});
  manager.expect_allocated("A", 1, Ids{});
  manager.expect_table("A", {1});
  manager.expect_cached({1, 2});
  manager.audit();
}

TEST(CopyOnWrite, TheParentToo) {
  SPEC("if the parent writes first, it is the parent that gets a new block", kUnshare,
       "blocks of its own", "a copy of its computed slots");
  RecordedManager manager({6, 4});
  manager.start("A", {1, 2, 3, 4, 5});
  manager.fork("A", "B");
  manager.append("A", {6});
  manager.expect_allocated("A", 1, Ids{3}, {}, {{2, 3, 1}});
  manager.compute("A", 1);
  manager.expect_table("A", {1, 3});
  manager.append("B", {7});
  manager.expect_allocated("B", 1, Ids{});
  manager.expect_table("B", {1, 2});
  manager.audit();
}

TEST(CopyOnWrite, FullBlocksStayShared) {
  SPEC("blocks that are full of computed tokens are never copied", kUnshare, "stays shared",
       "partly computed");
  for (const bool enable_caching : {true, false}) {
    RecordedManager manager({8, 2, 100, enable_caching});
    manager.start("A", {1, 2, 3, 4});
    manager.fork("A", "B");
    manager.append("B", {5});
    manager.expect_allocated("B", 1, Ids{3});
    manager.expect_table("B", {1, 2, 3});
    manager.expect_ref_cnt(2, 2);
    manager.audit();
  }
}

TEST(CopyOnWrite, EmptyBlocksNeedNoCopy) {
  SPEC("a shared block without a computed slot is replaced, and nothing is copied", kUnshare,
       "nothing to copy", "not computed", "for the first one first");
  for (const bool enable_caching : {true, false}) {
    RecordedManager manager({8, 4, 100, enable_caching});
    manager.admit("A", {1, 2, 3});
    manager.expect_allocated("A", 3, Ids{1, 2, 3}, {.num_lookahead_tokens = 7});
    manager.compute("A", 3);
    manager.fork("A", "B");
    manager.append("B", {9});
    manager.expect_allocated("B", 1, Ids{4, 5, 6}, {}, {{1, 4, 3}});
    manager.expect_table("B", {4, 5, 6});
    manager.expect_table("A", {1, 2, 3});
    manager.audit();
  }
}

TEST(CopyOnWrite, NewBlocksComeLast) {
  SPEC("the blocks of the copies are taken first, then those for growth; all are returned",
       kUnshare, "then adds its own");
  RecordedManager manager({8, 2});
  manager.start("A", {1, 2, 3});
  manager.fork("A", "B");
  manager.append("B", {7, 8, 9});
  manager.expect_allocated("B", 3, Ids{3, 4}, {.num_lookahead_tokens = 0}, {{2, 3, 1}});
  manager.expect_table("B", {1, 3, 4});
  manager.audit();
}

TEST(CopyOnWrite, OfThreeUsers) {
  SPEC("of three that share a block, the last one keeps it", kUnshare, "another request holds");
  RecordedManager manager({8, 4});
  manager.start("A", {1, 2});
  manager.fork("A", "B");
  manager.fork("B", "C");
  manager.append("C", {5});
  manager.expect_allocated("C", 1, Ids{2}, {}, {{1, 2, 2}});
  manager.append("A", {6});
  manager.expect_allocated("A", 1, Ids{3}, {}, {{1, 3, 2}});
  manager.append("B", {7});
  manager.expect_allocated("B", 1, Ids{});
  manager.expect_table("B", {1});
  manager.audit();
}

TEST(CopyOnWrite, ExhaustionChangesNothing) {
  SPEC("without a block for the copy: nullopt, and the block stays shared", kUnshare,
       "nullopt when fewer blocks are free", "nothing has changed");
  RecordedManager manager({3, 4});
  manager.start("A", {1, 2, 3});
  manager.start("Z", {7});
  manager.fork("A", "B");
  manager.append("B", {9});
  const ManagerState before = manager.state();
  manager.expect_allocated("B", 1, std::nullopt);
  manager.expect_unchanged(before);
  manager.free("Z");
  manager.expect_allocated("B", 1, Ids{2}, {}, {{1, 2, 3}});
  manager.audit();
}

TEST(CopyOnWrite, ExhaustionOfCopyAndGrowth) {
  SPEC("one free block is enough for the copy or for the growth, and not for both", kUnshare,
       "nullopt when fewer blocks are free", "nothing has changed");
  RecordedManager manager({4, 2});
  manager.start("A", {1, 2, 3});
  manager.fork("A", "B");
  manager.append("B", {7, 8});
  const ManagerState before = manager.state();
  manager.expect_allocated("B", 2, std::nullopt);
  manager.expect_unchanged(before);
  manager.expect_allocated("B", 1, std::nullopt, {.full_sequence_must_fit = true});
  manager.expect_unchanged(before);
  manager.expect_allocated("B", 1, Ids{3}, {}, {{2, 3, 1}});
  manager.audit();
}

TEST(CopyOnWrite, WhatIsBeingComputedStaysShared) {
  SPEC("a block that the request itself has cached holds what it is about to write", kUnshare,
       "cached by the request");
  RecordedManager manager({8, 2});
  manager.admit("A", {1, 2, 3});
  manager.expect_allocated("A", 2, Ids{1});
  manager.fork("A", "B");
  manager.evict({1});
  manager.expect_allocated("B", 3, Ids{2});
  manager.expect_table("B", {1, 2});
  manager.audit();
  RecordedManager with_a_tail({8, 2});
  with_a_tail.admit("A", {1, 2, 3});
  with_a_tail.expect_allocated("A", 3, Ids{1, 2});
  with_a_tail.compute("A", 1);
  with_a_tail.fork("A", "B");
  with_a_tail.expect_allocated("B", 2, Ids{3});
  with_a_tail.expect_table("B", {1, 3});
  with_a_tail.audit();
}

// A has a block of its own after shared ones. Its drafts are rejected, and it writes into those.
void expect_shared_again() {
  RecordedManager manager({12, 2});
  manager.admit("A", {1, 2});
  manager.expect_allocated("A", 7, Ids{1, 2, 3, 4});
  manager.compute("A", 7);
  manager.fork("A", "B");
  manager.expect_allocated("A", 1, Ids{5}, {}, {{4, 5, 1}});
  log_step("of the five drafts of A, four are rejected");
  manager.request("A").num_computed_tokens = 3;
  manager.append("A", {3, 9});
  manager.expect_allocated("A", 1, Ids{6, 7}, {}, {{2, 6, 1}});
  manager.expect_table("A", {1, 6, 7, 5});
  manager.expect_table("B", {1, 2, 3, 4});
  manager.audit();
}

// What A writes first is its own. Then drafts are rejected, and it writes into what is shared.
void expect_shared_later() {
  RecordedManager manager({12, 2});
  manager.admit("A", {1, 2});
  manager.expect_allocated("A", 8, Ids{1, 2, 3, 4});
  manager.compute("A", 8);
  manager.fork("A", "B");
  manager.expect_allocated("A", 1, Ids{5});
  log_step("of the six drafts of A, five are rejected");
  manager.request("A").num_computed_tokens = 3;
  manager.append("A", {3, 9});
  manager.expect_allocated("A", 1, Ids{6, 7, 8}, {}, {{2, 6, 1}});
  manager.expect_table("A", {1, 6, 7, 8, 5});
  manager.expect_table("B", {1, 2, 3, 4});
  manager.audit();
}

TEST(CopyOnWrite, ARejectedDraftGivesBackWhatItTook) {
  SPEC("a child that is freed gives back the blocks that it has taken, and no other", kUnshare,
       "blocks of its own", "in every call");
  RecordedManager manager({8, 2});
  manager.start("A", {1, 2, 3});
  manager.fork("A", "B");
  manager.append("B", {7, 8, 9});
  manager.expect_allocated("B", 3, Ids{3, 4}, {}, {{2, 3, 1}});
  manager.free("B");
  manager.expect_free({5, 6, 7, 4, 3});
  manager.expect_table("A", {1, 2});
  manager.fork("A", "C");
  manager.fork("A", "D");
  manager.free("D");
  manager.append("A", {4});
  manager.expect_allocated("A", 1, Ids{5}, {}, {{2, 5, 1}});
  manager.expect_table("C", {1, 2});
  manager.audit();
  expect_shared_again();
  expect_shared_later();
}

}  // namespace
}  // namespace kv::grader

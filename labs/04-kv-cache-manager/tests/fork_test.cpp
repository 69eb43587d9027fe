// Forks: what they share with their parents, and children that are accepted.

#include "04-kv-cache-manager/tests/recorded_manager.h"

namespace kv::grader {
namespace {

TEST(Fork, SharesEveryBlock) {
  SPEC("a fork holds every block of its parent, the last, partial one too, and takes none",
       "4.10 fork", "shares every block", "those that are not full too", "Takes no block");
  RecordedManager manager({6, 4});
  manager.start("A", {1, 2, 3, 4, 5, 6});
  manager.fork("A", "B");
  manager.expect_table("B", {1, 2});
  manager.expect_table("A", {1, 2});
  manager.expect_ref_cnt(1, 2);
  manager.expect_ref_cnt(2, 2);
  manager.expect_free({3, 4, 5});
  manager.expect_cached({1});
  manager.expect_found("B", {1});
  manager.audit();
}

TEST(Fork, IsACopyWithAnotherId) {
  SPEC("the child has everything of its parent but the id", "4.10 fork",
       "copy of the parent with another id");
  RecordedManager manager({6, 2});
  manager.admit({.request_id = "A",
                 .block_size = 2,
                 .token_ids = {1, 2, 3},
                 .lora_name = "poet",
                 .cache_salt = "salt",
                 .mm_features = {{"cat", 0, 1}},
                 .skip_reading_prefix_cache = true});
  manager.start("A");
  const Request parent = manager.request("A");
  manager.fork("A", "B");
  const Request& child = manager.request("B");
  EXPECT_SAME(child.lora_name, parent.lora_name) << "the adapter of the child";
  EXPECT_SAME(child.cache_salt, parent.cache_salt) << "the salt of the child";
  EXPECT_SAME(child.mm_features.size(), 1u) << "the images of the child";
  EXPECT_SAME(child.block_size, parent.block_size) << "the block size of the child";
  EXPECT_SAME(child.skip_reading_prefix_cache, true) << "skip_reading_prefix_cache of the child";
  EXPECT_SAME(manager.request("A").request_id, "A") << "the id of the parent";
}

TEST(Fork, EitherMayGoFirst) {
  SPEC("the blocks stay as long as one of the two holds them", "4.10 fork", "shares every block");
  RecordedManager manager({6, 2});
  manager.start("A", {1, 2, 3});
  manager.fork("A", "B");
  manager.free("A");
  manager.expect_table("B", {1, 2});
  manager.expect_free({3, 4, 5});
  manager.fork("B", "C");
  manager.preempt("C");
  manager.expect_free({3, 4, 5});
  manager.free("B");
  manager.expect_free({3, 4, 5, 2, 1});
  manager.audit();
}

TEST(Fork, CountsAsARequest) {
  SPEC("a fork is a request with blocks", "4.10 fork", "shares every block");
  RecordedManager manager({6, 2});
  manager.start("A", {1, 2, 3});
  manager.fork("A", "B");
  manager.expect_common("A", 2);
  manager.start("Z", {7});
  manager.expect_common("B", 0);
}

TEST(Fork, RefusesAParentWithoutBlocks) {
  SPEC("a request without blocks has nothing to share", "4.10 fork", "parent without blocks");
  RecordedManager manager({6, 2});
  manager.admit("A", {1, 2, 3});
  log_step("fork(A, B), and A has no block");
  expect_refused(manager, "A has no block", [&] { manager.raw().fork(manager.request("A"), "B"); });
  manager.start("A");
  manager.fork("A", "B");
  manager.expect_common("A", 2);
}

TEST(Fork, RefusesAnIdThatHasBlocks) {
  SPEC("the id of a request with blocks cannot be that of a child", "4.10 fork",
       "id that has blocks");
  RecordedManager manager({8, 2});
  manager.start("A", {1, 2, 3});
  manager.start("B", {7, 7, 8});
  for (const char* id : {"B", "A"}) {
    log_step("fork(A, " + std::string(id) + ")");
    expect_refused(manager, "that id has blocks",
                   [&] { manager.raw().fork(manager.request("A"), id); });
  }
  manager.fork("A", "C");
  manager.audit();
}

TEST(Accept, TheChildReplacesTheParent) {
  SPEC("the parent gets the child's tokens and blocks, gives its own back, and the child has none",
       "4.12 accept", "becomes its child", "does not hold are freed", "child has none then");
  RecordedManager manager({8, 2});
  manager.start("A", {1, 2, 3});
  manager.fork("A", "B");
  manager.append("B", {7, 8});
  manager.expect_allocated("B", 2, Ids{3, 4}, {}, {{2, 3, 1}});
  manager.compute("B", 2);
  log_step("token 3 of B is the placeholder of an image");
  manager.request("B").mm_features = {{"cat", 3, 1}};
  manager.accept("A", "B");
  manager.expect_table("A", {1, 3, 4});
  manager.expect_table("B", {});
  manager.expect_free({5, 6, 7, 2});
  EXPECT_SAME(manager.request("A").token_ids, (Tokens{1, 2, 3, 7, 8})) << "the tokens of A";
  manager.decode("A", 9);
  manager.expect_table("A", {1, 3, 4});
  manager.expect_cached({1, 3, 4});
  manager.expect_common("A", 3);
  manager.audit();
}

TEST(Accept, TheLastBlockFirst) {
  SPEC("the parent's own blocks are freed last block first", "4.12 accept", "the last first");
  RecordedManager manager({9, 1});
  manager.start("A", {1, 2});
  manager.fork("A", "B");
  manager.append("A", {3, 4, 5});
  manager.expect_allocated("A", 3, Ids{3, 4, 5});
  manager.compute("A", 3);
  manager.accept("A", "B");
  manager.expect_table("A", {1, 2});
  manager.expect_free({6, 7, 8, 5, 4, 3});
  manager.decode("A", 9);
  manager.expect_cached({1, 2, 3, 4, 5, 6});
  manager.fork("A", "C");
  manager.append("A", {6, 7, 8});
  manager.expect_allocated("A", 3, Ids{7, 8, 5});
  manager.compute("A", 3);
  manager.accept("A", "C");
  manager.expect_free({4, 3, 5, 8, 7});
  manager.audit();
}

TEST(Accept, ForksOfForks) {
  SPEC("a fork accepts its own fork, and is accepted then; what another fork holds stays shared",
       "4.12 accept", "becomes its child");
  RecordedManager manager({9, 4});
  manager.start("A", {1, 2});
  manager.fork("A", "B");
  manager.fork("B", "C");
  manager.append("C", {3});
  manager.expect_allocated("C", 1, Ids{2}, {}, {{1, 2, 2}});
  manager.compute("C", 1);
  manager.fork("C", "D");
  manager.accept("B", "C");
  manager.expect_table("B", {2});
  manager.accept("A", "B");
  manager.expect_table("A", {2});
  EXPECT_SAME(manager.request("A").token_ids, (Tokens{1, 2, 3})) << "the tokens of A";
  manager.expect_free({3, 4, 5, 6, 7, 8, 1});
  manager.append("A", {4});
  manager.expect_allocated("A", 1, Ids{3}, {}, {{2, 3, 3}});
  manager.expect_table("D", {2});
  manager.audit();
}

void expect_not_accepted(RecordedManager& manager,
                         const char* parent,
                         const char* child,
                         const char* why) {
  const Tokens tokens = manager.request(parent).token_ids;
  log_step({"accept(parent, child)", "accept({0}, {1})"}, parent, child);
  expect_refused(manager, why,
                 [&] { manager.raw().accept(manager.request(parent), manager.request(child)); });
  EXPECT_SAME(manager.request(parent).request_id, parent) << "the id of the parent";
  EXPECT_SAME(manager.request(parent).token_ids, tokens) << "the tokens of the parent";
}

void expect_nothing_accepted_into_a_freed_one() {
  RecordedManager manager({12, 2});
  manager.start("A", {1, 2, 3});
  manager.fork("A", "F");
  manager.free("A");
  expect_not_accepted(manager, "A", "F", "A has no blocks any more");
  manager.audit();
}

TEST(Accept, RefusesWhatIsNoFork) {
  SPEC("only a fork of this parent with blocks is accepted", "4.12 accept", "no fork of it",
       "or child without blocks", "Misuse: a parent");
  RecordedManager manager({12, 2});
  manager.start("A", {1, 2, 3});
  manager.fork("A", "B");
  manager.fork("A", "C");
  manager.start("Z", {7, 8, 9});
  manager.fork("Z", "Y");
  manager.preempt("C");
  const auto expect_no = [&](auto... call) { expect_not_accepted(manager, call...); };
  expect_no("A", "Z", "Z is not a fork");
  expect_no("A", "Y", "Y is a fork of Z");
  expect_no("B", "A", "A is the parent of B");
  expect_no("A", "A", "A is not a fork");
  expect_no("A", "C", "C was preempted, and has no blocks");
  manager.start("C");
  expect_no("A", "C", "C began again, on its own");
  manager.fork("B", "D");
  manager.fork("D", "E");
  expect_no("A", "D", "D is a fork of B");
  manager.free("D");
  expect_no("B", "E", "E is a fork of D");
  manager.accept("A", "B");
  expect_no("A", "B", "B was accepted before");
  manager.start("", {5, 6, 7});
  expect_no("", "Z", "Z is not a fork");
  manager.audit();
  expect_nothing_accepted_into_a_freed_one();
}

}  // namespace
}  // namespace kv::grader

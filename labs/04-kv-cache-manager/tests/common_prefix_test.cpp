// The blocks that all requests with blocks have in common.

#include "04-kv-cache-manager/tests/recorded_manager.h"

namespace kv::grader {
namespace {

TEST(CommonPrefix, BlocksThatAllHold) {
  SPEC("the leading blocks that every request with blocks holds",
       "4.9 get_num_common_prefix_blocks", "at the beginning of the request every");
  RecordedManager manager({12, 2});
  manager.start("A", {1, 1, 2, 2, 3, 3, 4});
  manager.expect_common("A", 4);
  manager.start("B", {1, 1, 2, 2, 5, 5, 6});
  manager.expect_common("A", 2);
  manager.expect_common("B", 2);
  manager.start("C", {1, 1, 9});
  manager.expect_common("A", 1);
  manager.expect_common("C", 1);
  manager.free("C");
  manager.expect_common("B", 2);
  manager.start("D", {8});
  manager.expect_common("A", 0);
  manager.expect_common("D", 0);
}

TEST(CommonPrefix, LeadingBlocksOnly) {
  SPEC("a block that all hold after one that they do not is not in the common prefix",
       "4.9 get_num_common_prefix_blocks", "at the beginning of the request every");
  RecordedManager manager({12, 2});
  manager.start("A", {1, 1, 2, 2, 3});
  manager.evict({1});
  manager.start("B", {1, 1, 2, 2, 3});
  manager.start("C", {1, 1, 2, 2, 3});
  manager.expect_table("C", {4, 2, 7});
  manager.free("B");
  manager.expect_common("A", 0);
  manager.expect_common("C", 0);
}

TEST(CommonPrefix, OfARequestWithoutBlocks) {
  SPEC("0 for a request without blocks, and asking leaves no trace of it",
       "4.9 get_num_common_prefix_blocks", "a request without blocks", "Changes nothing");
  RecordedManager manager({6, 2});
  manager.start("A", {1, 1, 2});
  manager.admit("B", {1, 1, 2});
  const ManagerState before = manager.state();
  manager.expect_common("B", 0);
  manager.expect_common("nobody", 0);
  manager.expect_unchanged(before);
  manager.expect_common("A", 2);
}

TEST(CommonPrefix, WaitingRequestsDoNotCount) {
  SPEC("a request that was asked about or did not fit has no blocks, so it does not count",
       "4.9 get_num_common_prefix_blocks", "at the beginning of the request every",
       "4.5 Changes nothing", "4.6 nothing has changed");
  RecordedManager manager({4, 2});
  manager.start("A", {1, 1, 2, 2});
  manager.admit("B", {1, 1, 2, 2, 3, 3, 4});
  manager.expect_found("B", {1, 2});
  manager.expect_needed("B", 3, 2, {.hits = {1, 2}});
  manager.expect_allocated("B", 3, std::nullopt, {.hits = {1, 2}});
  manager.expect_common("A", 2);
  manager.free("B");
  manager.expect_common("A", 2);
  manager.expect_allocation_refused("B", 0, "0 new tokens");
  manager.expect_common("A", 2);
}

TEST(CommonPrefix, WithCachingOff) {
  SPEC("with caching off it is 0", "4.9 get_num_common_prefix_blocks", "0 with caching off");
  RecordedManager manager({6, 2, 100, false});
  manager.start("A", {1, 2, 3});
  manager.expect_common("A", 0);
}

// Requests with a block of their own each.
void expect_nothing_in_common(std::size_t num_requests) {
  KVCacheManager manager(num_requests + 1, 2, 100);
  Request request{.request_id = "", .block_size = 2, .token_ids = {7}};
  for (std::size_t i = 0; i < num_requests; ++i) {
    request.request_id = std::to_string(i);
    manager.allocate_slots(request, 1);
  }
  EXPECT_SAME(manager.get_num_common_prefix_blocks("0"), 0u) << num_requests << " requests";
}

TEST(CommonPrefix, OfManyRequests) {
  SPEC("more requests than fit into 8 or 16 bits share a block", "4.9 get_num_common_prefix_blocks",
       "at the beginning of the request every");
  allow_steps(18'000'000);
  RecordedManager manager({300, 1});
  manager.start("A", {1, 2});
  for (int i = 0; i < 256; ++i) manager.start("r" + std::to_string(i), {1, 7 + i});
  EXPECT_SAME(manager.block(1).ref_cnt, 257) << "block 1 is in the tables of 257 requests";
  manager.expect_common("A", 1);
  manager.start("Z", {5});
  manager.expect_common("A", 0);
  expect_nothing_in_common(0x1'0001);
}

}  // namespace
}  // namespace kv::grader

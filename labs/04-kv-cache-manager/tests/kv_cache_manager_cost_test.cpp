// What a call may cost: counted, never timed.

#include <gtest/gtest.h>

#include <string>

#include "04-kv-cache-manager/tests/kv_cache_manager_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

// The cost of a call beside many other requests, or in blocks of many slots: of sizes that no
// O(...) names.

// Requests of one block each, which they do not share.
class CrowdedManager {
 public:
  explicit CrowdedManager(std::size_t num_requests) : manager(num_requests + 100, 1, 100) {
    for (std::size_t i = 0; i < num_requests; ++i)
      manager.allocate_slots(tokens_of_request(std::to_string(i), 1, static_cast<TokenId>(i)), 1);
  }

  KVCacheManager manager;
};

// Why two requests: the second call for one may be another call.
template <class Call>
Cost cheaper_of_two_requests(Call call) {
  return cheaper_of(call("A"), call("B"));
}

// All calls of steps 4.4 to 4.7 for one request.
Cost cost_of_a_request_beside(std::size_t num_requests) {
  CrowdedManager crowd(num_requests);
  return cheaper_of_two_requests([&](const std::string& id) {
    Request request = tokens_of_request(id, 3, -100);
    return cost_of([&] {
      const auto hits = crowd.manager.get_computed_blocks(request).blocks;
      crowd.manager.allocate_slots(request, 2, {.new_computed_blocks = hits});
      request.num_computed_tokens = 2 + hits.size();
      if (hits.empty()) crowd.manager.allocate_slots(request, 1);
      crowd.manager.free(request);
    });
  });
}

Cost cost_of_a_fork_beside(std::size_t num_requests) {
  CrowdedManager crowd(num_requests);
  return cheaper_of_two_requests([&](const std::string& id) {
    Request request = tokens_of_request(id, 3, -100);
    crowd.manager.allocate_slots(request, 3);
    return cost_of([&] {
      const Request child = crowd.manager.fork(request, id + "a");
      crowd.manager.accept(request, child);
    });
  });
}

// All requests begin with the same five blocks.
Cost cost_of_what_many_share(std::size_t num_requests) {
  KVCacheManager manager(num_requests + 10, 1, 10);
  for (std::size_t i = 0; i < num_requests; ++i) {
    Request request = tokens_of_request(std::to_string(i), 5);
    append_output_token_ids(request, std::vector{-1 - static_cast<TokenId>(i)});
    const auto hits = manager.get_computed_blocks(request).blocks;
    manager.allocate_slots(request, 6 - hits.size(), {.new_computed_blocks = hits});
  }
  return cost_of([&] { manager.get_num_common_prefix_blocks("0"); });
}

// The last ten slots of two blocks.
Cost cost_of_slots_in_a_large_block(std::size_t block_size) {
  const LooseBlocks blocks(2);
  BlockTable table(block_size);
  table.append(blocks.pointers);
  return cost_of([&] { table.slot_mapping(2 * block_size - 10, 10); });
}

const CostProbe kRequestBesideCost{"all calls of a request", "other requests",
                                   cost_of_a_request_beside, Memory::kMayBeAskedFor, 2'000};
const CostProbe kForkBesideCost{"fork() and accept()", "other requests", cost_of_a_fork_beside,
                                Memory::kMayBeAskedFor, 2'000};
const CostProbe kSharedByManyCost{"get_num_common_prefix_blocks() of five",
                                  "requests that share them", cost_of_what_many_share,
                                  Memory::kNone, 2'000};
const CostProbe kLargeBlockCost{"slot_mapping() of 10", "slots in a block",
                                cost_of_slots_in_a_large_block, Memory::kMayBeAskedFor};

TEST(ManagerCost, OfAppending) {
  SPEC("append has a fixed cost for each new block, however long the table is",
       "4.1 BlockTable::append", "O(new_blocks.size())");
  expect_cost(kEachAppendCost);
  expect_cost(kOneAppendCost);
}

TEST(ManagerCost, OfASlot) {
  SPEC("slot costs the same at every position of every table, and allocates nothing",
       "4.2 BlockTable::slot", "O(1)", "allocates nothing");
  expect_cost(kSlotCost);
}

TEST(ManagerCost, OfASlotMapping) {
  SPEC("slot_mapping has a fixed cost for each token, however long table and blocks are",
       "4.3 BlockTable::slot_mapping", "O(num_tokens)");
  expect_cost(kEachSlotCost);
  expect_cost(kFewSlotsCost);
  expect_cost(kLargeBlockCost);
}

TEST(ManagerCost, OfFinding) {
  SPEC(
      "get_computed_blocks has a fixed cost for each block found, and asks memory for the result "
      "only",
      "4.4 get_computed_blocks", "O(blocks found + 1)", "nothing but the result");
  expect_cost(kFindingCost);
  expect_cost(kFindingNothingCost);
  expect_cost(kEachFoundCost);
}

TEST(ManagerCost, OfAsking) {
  SPEC(
      "get_num_blocks_to_allocate has a fixed cost for each hit, however long the table is, and "
      "allocates nothing",
      "4.6 allocate_slots", "4.5 O(hits)", "4.5 allocates nothing");
  expect_cost(kAskingCost);
  expect_cost(kEachHitAskedCost);
}

TEST(ManagerCost, OfAllocating) {
  SPEC(
      "allocate_slots has a fixed cost for each block that it adds or caches, however long the "
      "request is",
      "4.6 allocate_slots", "O(blocks added or cached)");
  expect_cost(kDecodingCost);
  expect_cost(kEachAllocatedCost);
}

TEST(ManagerCost, OfFreeing) {
  SPEC("free has a fixed cost for each block of the request, and none for those of others",
       "4.7 free", "O(its blocks)");
  expect_cost(kFreeingBesideCost);
  expect_cost(kEachFreedCost);
  expect_cost(kRequestBesideCost);
}

TEST(ManagerCost, OfTheCommonPrefix) {
  SPEC("get_num_common_prefix_blocks looks as far as the common prefix, and allocates nothing",
       "4.9 get_num_common_prefix_blocks", "O(result + 1)", "allocates nothing");
  expect_cost(kNothingInCommonCost);
  expect_cost(kCommonBesideCost);
  expect_cost(kEachInCommonCost);
  expect_cost(kSharedByManyCost);
}

TEST(ManagerCost, OfForking) {
  SPEC("fork and the first write of a fork have a fixed cost for each block", "4.12 accept",
       "4.10 O(parent's blocks)", "4.11 O(its blocks)", "O(blocks of both)");
  expect_cost(kEachForkedCost);
  expect_cost(kEachUnsharedCost);
  expect_cost(kEachAcceptedCost);
  expect_cost(kForkBesideCost);
}

}  // namespace
}  // namespace kv::grader

#pragma once
// The cost of a call beside many other requests, or in blocks of many slots: of sizes that no
// O(...) names.

#include <algorithm>
#include <string>

#include "04-kv-cache-manager/tests/kv_cache_manager_costs.h"

namespace kv::grader {

// Requests of one block each, which they do not share.
class CrowdedManager {
 public:
  explicit CrowdedManager(std::size_t num_requests) : manager(num_requests + 100, 1, 100) {
    for (std::size_t i = 0; i < num_requests; ++i)
      manager.allocate_slots(tokens_of_request(std::to_string(i), 1, static_cast<TokenId>(i)), 1);
  }

  KVCacheManager manager;
};

// Why the cheaper of two: now and then a table of requests has to grow.
template <class Call>
Cost cheaper_of_two(Call call) {
  const Cost first = call("A"), second = call("B");
  return first.num_steps < second.num_steps ? first : second;
}

// All calls of steps 4.4 to 4.7 for one request.
inline Cost cost_of_a_request_beside(std::size_t num_requests) {
  CrowdedManager crowd(num_requests);
  return cheaper_of_two([&](const std::string& id) {
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

inline Cost cost_of_a_fork_beside(std::size_t num_requests) {
  CrowdedManager crowd(num_requests);
  return cheaper_of_two([&](const std::string& id) {
    Request request = tokens_of_request(id, 3, -100);
    crowd.manager.allocate_slots(request, 3);
    return cost_of([&] {
      const Request child = crowd.manager.fork(request, id + "a");
      crowd.manager.accept(request, child);
    });
  });
}

// All requests begin with the same five blocks.
inline Cost cost_of_what_many_share(std::size_t num_requests) {
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
inline Cost cost_of_slots_in_a_large_block(std::size_t block_size) {
  const LooseBlocks blocks(2);
  BlockTable table(block_size);
  table.append(blocks.pointers);
  return cost_of([&] { table.slot_mapping(2 * block_size - 10, 10); });
}

inline const CostProbe kRequestBesideCost{"all calls of a request", "other requests",
                                          cost_of_a_request_beside, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kForkBesideCost{"fork() and accept()", "other requests",
                                       cost_of_a_fork_beside, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kSharedByManyCost{"get_num_common_prefix_blocks() of five",
                                         "requests that share them", cost_of_what_many_share,
                                         Memory::kNone, 2'000};
inline const CostProbe kLargeBlockCost{"slot_mapping() of 10", "slots in a block",
                                       cost_of_slots_in_a_large_block, Memory::kMayBeAskedFor};

}  // namespace kv::grader

#pragma once
// The cost of a fork, and of the copies after it.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "07-serving/model_input.h"
#include "07-serving/tests/scheduler_costs.h"

namespace kv::grader {

// A scheduler with request A, which has its first token.
class ForkableScheduler : public CostlyScheduler {
 public:
  explicit ForkableScheduler(std::size_t num_tokens) : CostlyScheduler(2 * num_tokens + 100) {
    scheduler.add_request(request_with("A", num_tokens));
    const SchedulerOutput step = scheduler.schedule();
    scheduler.update_from_output(step, std::vector<std::vector<TokenId>>{{7}});
  }
  Cost cost_of_forking(const std::string& child) {
    return cost_of([&] { scheduler.fork_request("A", child, {}); });
  }
};

inline Cost cost_of_forking_beside(std::size_t num_waiting) {
  ForkableScheduler made(3);
  made.add_many(num_waiting);
  return cheaper_of(made.cost_of_forking("B"), made.cost_of_forking("C"));
}
inline Cost cost_of_each_forked_token(std::size_t num_tokens) {
  return share_with_allocations(ForkableScheduler(num_tokens).cost_of_forking("B"), num_tokens);
}

// A copy of a block in caches of one layer.
inline Cost cost_of_copying(std::size_t num_blocks, std::size_t block_size, std::size_t num_slots) {
  const PagedLayout layout = {num_blocks, block_size, 1, 4};
  std::vector<float> keys(layout.size()), values(layout.size());
  const std::vector<KVCache<float>> caches = {{layout, keys, values}};
  const std::vector<BlockCopy> copies = {{1, 2, num_slots}};
  return cost_of([&] { copy_blocks(caches, copies); });
}
inline Cost cost_of_copying_beside(std::size_t num_blocks) {
  return cost_of_copying(num_blocks, 4, 3);
}
// The slots after the copied ones are not looked at, either.
inline Cost cost_of_copying_before(std::size_t block_size) {
  return cost_of_copying(3, block_size, 3);
}
inline Cost cost_of_each_copied_slot(std::size_t num_slots) {
  return share(cost_of_copying(3, num_slots, num_slots), num_slots);
}

inline const CostProbe kForkingCost{"fork_request()", "requests waiting", cost_of_forking_beside,
                                    Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEachForkedTokenCost{"fork_request(), for each token,", "tokens",
                                            cost_of_each_forked_token, Memory::kMayBeAskedFor,
                                            2'000};
inline const CostProbe kCopyingCost{"copy_blocks() of a block", "blocks", cost_of_copying_beside,
                                    Memory::kNone, 20'000};
inline const CostProbe kCopyingBeforeCost{"copy_blocks() of 3 slots", "slots of a block",
                                          cost_of_copying_before, Memory::kNone, 20'000};
inline const CostProbe kEachCopiedSlotCost{"copy_blocks(), for each slot,", "slots",
                                           cost_of_each_copied_slot, Memory::kNone, 20'000};

}  // namespace kv::grader

#include <algorithm>
#include <iterator>
#include <utility>

#include "07-serving/given/model_input_checks.h"
#include "07-serving/given/scheduler_checks.h"
#include "07-serving/model_input.h"
#include "07-serving/scheduler.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

bool Scheduler::fork_request(const std::string& parent_id,
                             const std::string& child_id,
                             const SamplingParams& sampling_params) {
  KV_REQUIRE("a parent is a request", has_request(parent_id));
  const ServedRequest& parent = requests_.at(parent_id);
  require_forkable(parent, sampling_params, config_.max_model_len);
  KV_REQUIRE("I15: a child is a new request", !has_request(child_id));

  KV_TODO("7.17 fork_request");
}

void copy_blocks(std::span<const KVCache<float>> kv_caches,
                 std::span<const BlockCopy> blocks_to_copy) {
  require_copyable(kv_caches, blocks_to_copy);

  KV_TODO("7.18 copy_blocks");
}

// Given, from here on.
bool Scheduler::append_slots(Step& step, const ServedRequest& request, std::size_t num_tokens) {
  const auto allocated = kv_cache_manager_.allocate_slots(request, num_tokens);
  if (!allocated) return false;

  std::ranges::copy(allocated->copies, std::back_inserter(step.output.blocks_to_copy));
  return true;
}

}  // namespace kv

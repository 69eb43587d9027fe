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

  if (running_.size() == config_.max_num_seqs) return false;

  ServedRequest child = parent;
  static_cast<Request&>(child) = kv_cache_manager_.fork(parent, child_id);
  child.sampling_params = sampling_params;
  child.num_preemptions = 0;
  child.spec_token_ids.clear();

  child.token_ids.pop_back();
  child.block_hashes.resize(child.num_full_blocks());
  child.block_extra_keys.resize(child.num_full_blocks());
  child.num_computed_tokens = child.token_ids.size() - 1;
  running_.push_back(&requests_.emplace(child_id, std::move(child)).first->second);
  return true;
}

void copy_blocks(std::span<const KVCache<float>> kv_caches,
                 std::span<const BlockCopy> blocks_to_copy) {
  require_copyable(kv_caches, blocks_to_copy);

  for (const auto& [source, destination, num_slots] : blocks_to_copy) {
    for (const KVCache<float>& cache : kv_caches) {
      const std::size_t block_numbers = cache.layout.block_size * cache.layout.token_size();
      const std::size_t num_numbers = num_slots * cache.layout.token_size();
      for (const auto& numbers : {cache.key_cache, cache.value_cache}) {
        const auto from = numbers.subspan(static_cast<std::size_t>(source) * block_numbers);
        const auto to = numbers.subspan(static_cast<std::size_t>(destination) * block_numbers);
        std::ranges::copy(from.first(num_numbers), to.begin());
      }
    }
  }
}

// Given, from here on.
bool Scheduler::append_slots(Step& step, const ServedRequest& request, std::size_t num_tokens) {
  const auto allocated = kv_cache_manager_.allocate_slots(request, num_tokens);
  if (!allocated) return false;

  std::ranges::copy(allocated->copies, std::back_inserter(step.output.blocks_to_copy));
  return true;
}

}  // namespace kv

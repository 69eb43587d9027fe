#include <algorithm>

#include "07-serving/scheduler.h"
#include "07-serving/scheduling_rules.h"
#include "kv/todo.h"

namespace kv {

std::size_t threshold_among(const SchedulerConfig& config, std::size_t num_requests) {
  return num_requests == 1 ? 0 : config.long_prefill_token_threshold;
}

void Scheduler::schedule_after_own_victim(Step& step) {
  if (kv_cache_manager_.rules() == Rules::kVllm022) return;
  schedule_running(step);
}

std::size_t num_blocks_left_free(const SchedulerConfig& config,
                                 KVCacheManager& kv_cache_manager,
                                 std::span<ServedRequest* const> running) {
  if (running.empty()) return 0;

  const auto num_blocks = static_cast<double>(kv_cache_manager.block_pool().blocks().size());
  auto num_left = static_cast<std::size_t>(config.watermark * num_blocks);
  if (!config.reserve_prefills) return num_left;

  for (const ServedRequest* request : running) {
    const std::size_t num_known = std::min(request->token_ids.size(), config.max_model_len);
    const std::size_t num_computed = std::min(request->num_computed_tokens, num_known);
    num_left += kv_cache_manager.get_num_blocks_to_allocate(*request, num_known - num_computed);
  }
  return num_left;
}

}  // namespace kv

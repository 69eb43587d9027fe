#include <algorithm>

#include "07-serving/scheduler.h"
#include "07-serving/scheduling_rules.h"
#include "kv/todo.h"

namespace kv {

std::size_t threshold_among(const SchedulerConfig& config, std::size_t num_requests) {
  KV_TODO("7.19 threshold_among");
}

void Scheduler::schedule_after_own_victim(Step& step) {
  if (kv_cache_manager_.rules() == Rules::kVllm022) return;
  KV_TODO("7.20 schedule_after_own_victim");
}

std::size_t num_blocks_left_free(const SchedulerConfig& config,
                                 KVCacheManager& kv_cache_manager,
                                 std::span<ServedRequest* const> running) {
  KV_TODO("7.21 num_blocks_left_free");
}

}  // namespace kv

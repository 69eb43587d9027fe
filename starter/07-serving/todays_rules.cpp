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

// Given, from here on.
std::optional<AllocatedSlots> Scheduler::allocate_slots(const ServedRequest& request,
                                                        std::size_t num_tokens,
                                                        const AllocateOptions& options) {
  if (config_.watermark > 0 || config_.reserve_prefills) {
    const std::size_t num_needed =
        kv_cache_manager_.get_num_blocks_to_allocate(request, num_tokens, options) +
        num_blocks_left_free(config_, kv_cache_manager_, running_);
    if (num_needed > kv_cache_manager_.block_pool().get_num_free_blocks()) return std::nullopt;
  }
  return kv_cache_manager_.allocate_slots(request, num_tokens, options);
}

}  // namespace kv

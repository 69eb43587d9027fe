#include "07-serving/model_input.h"

#include <algorithm>

#include "05-paged-attention/paged_attention.h"
#include "07-serving/given/model_input_checks.h"
#include "kv/todo.h"

namespace kv {

ModelInput prepare_inputs(const SchedulerOutput& output,
                          const Scheduler& scheduler,
                          const KVCacheManager& kv_cache_manager) {
  KV_TODO("7.9 prepare_inputs");
}

void attention_forward(std::span<float> out,
                       std::span<const float> query,
                       std::span<const float> key,
                       std::span<const float> value,
                       const KVCache<float>& cache,
                       const ModelInput& input,
                       float scale) {
  require_attendable(out, query, cache.layout, input);

  KV_TODO("7.10 attention_forward");
}

}  // namespace kv

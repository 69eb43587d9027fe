#include "07-serving/model_input.h"

#include <algorithm>

#include "05-paged-attention/paged_attention.h"
#include "07-serving/given/model_input_checks.h"
#include "kv/todo.h"

namespace kv {

ModelInput prepare_inputs(const SchedulerOutput& output,
                          const Scheduler& scheduler,
                          const KVCacheManager& kv_cache_manager) {
  ModelInput input;
  for (const ScheduledRequest& scheduled : output.scheduled) {
    const std::size_t num_blocks = kv_cache_manager.get_blocks(scheduled.request_id).num_blocks();
    input.max_num_blocks = std::max(input.max_num_blocks, num_blocks);
  }

  input.query_start_loc.push_back(0);
  for (const ScheduledRequest& scheduled : output.scheduled) {
    const auto& [request_id, scheduled_as, start, num_tokens, drafts] = scheduled;
    const ServedRequest& request = scheduler.request(request_id);
    const BlockTable& table = kv_cache_manager.get_blocks(request_id);
    for (std::size_t position = start; position < start + num_tokens; ++position) {
      input.input_ids.push_back(token_at(position, request, scheduled));
      input.positions.push_back(position);
      input.slot_mapping.push_back(table.slot(position));
    }

    input.query_start_loc.push_back(input.input_ids.size());
    input.seq_lens.push_back(start + num_tokens);
    for (const KVCacheBlock* block : table.blocks()) input.block_tables.push_back(block->block_id);
    input.block_tables.resize(input.num_reqs() * input.max_num_blocks, 0);
  }
  return input;
}

void attention_forward(std::span<float> out,
                       std::span<const float> query,
                       std::span<const float> key,
                       std::span<const float> value,
                       const KVCache<float>& cache,
                       const ModelInput& input,
                       float scale) {
  require_attendable(out, query, cache.layout, input);

  write_kv<float>(key, value, input.slot_mapping, cache);

  const std::size_t row_size = query.size() / std::max<std::size_t>(input.positions.size(), 1);
  for (std::size_t req = 0; req < input.num_reqs(); ++req) {
    const std::size_t start = input.query_start_loc[req];
    const std::size_t num_tokens = input.query_start_loc[req + 1] - start;
    const std::size_t context_len = input.seq_lens[req] - num_tokens;
    paged_prefill_attention<float>(out.subspan(start * row_size, num_tokens * row_size),
                                   query.subspan(start * row_size, num_tokens * row_size), cache,
                                   input.block_table(req), context_len, num_tokens, scale);
  }
}

}  // namespace kv

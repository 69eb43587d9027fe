// Slots by step 5.1, one request after the other; attention one row after the other, each as if it
// were the only one.
#include "07-serving/model_input.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "05-paged-attention/paged_attention.h"
#include "07-serving/given/model_input_checks.h"
#include "kv/todo.h"

namespace kv {

ModelInput prepare_inputs(const SchedulerOutput& output,
                          const Scheduler& scheduler,
                          const KVCacheManager& kv_cache_manager) {
  ModelInput input{.query_start_loc = {0}};
  std::vector<std::vector<BlockId>> tables;
  for (const ScheduledRequest& scheduled : output.scheduled) {
    std::vector<BlockId>& table = tables.emplace_back();
    const BlockTable& blocks = kv_cache_manager.get_blocks(scheduled.request_id);
    for (const KVCacheBlock* block : blocks.blocks()) table.push_back(block->block_id);
    input.max_num_blocks = std::max(table.size(), input.max_num_blocks);

    const ServedRequest& request = scheduler.request(scheduled.request_id);
    const auto num_tokens = static_cast<std::ptrdiff_t>(scheduled.num_tokens);
    for (std::size_t i = 0; i < scheduled.num_tokens; ++i)
      input.input_ids.push_back(token_at(scheduled.num_computed_tokens + i, request, scheduled));
    std::ranges::copy(build_slot_mapping(table, request.block_size, scheduled.num_computed_tokens,
                                         scheduled.num_tokens),
                      std::back_inserter(input.slot_mapping));

    input.positions.resize(input.input_ids.size());
    std::iota(input.positions.end() - num_tokens, input.positions.end(),
              scheduled.num_computed_tokens);
    input.query_start_loc.push_back(input.positions.size());
    input.seq_lens.push_back(input.positions.back() + 1);
  }

  for (std::vector<BlockId>& table : tables) {
    table.resize(input.max_num_blocks);
    std::ranges::copy(table, std::back_inserter(input.block_tables));
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
  if (input.positions.empty()) return;

  const std::size_t row_size = query.size() / input.positions.size();
  std::size_t req = 0;
  for (std::size_t row = 0; row < input.positions.size(); ++row) {
    while (row >= input.query_start_loc[req + 1]) ++req;
    const std::size_t num_rows_after = input.query_start_loc[req + 1] - row - 1;
    paged_attention<float>(out.subspan(row * row_size, row_size),
                           query.subspan(row * row_size, row_size), cache, input.block_table(req),
                           input.seq_lens[req] - num_rows_after, scale);
  }
}

}  // namespace kv

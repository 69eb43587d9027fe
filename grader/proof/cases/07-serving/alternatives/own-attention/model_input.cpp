// Tables first, then rows; attention without a call of lab 05, one position after the other.
#include "07-serving/model_input.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "05-paged-attention/given/shape_checks.h"
#include "07-serving/given/model_input_checks.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {
namespace {

void write_rows(std::span<const float> key,
                std::span<const float> value,
                std::span<const SlotId> slots,
                const KVCache<float>& cache) {
  const PagedLayout& layout = cache.layout;
  KV_REQUIRE("a cache of its layout, and a key and a value for each row",
             has_its_layout(cache) && has_rows(key, slots.size(), layout) &&
                 has_rows(value, slots.size(), layout));
  const auto num_slots = static_cast<SlotId>(layout.num_slots());
  for (const SlotId slot : slots)
    KV_REQUIRE("a slot of the cache, or kPadSlotId", slot >= kPadSlotId && slot < num_slots);

  for (std::size_t row = 0; row < slots.size(); ++row) {
    if (slots[row] == kPadSlotId) continue;
    for (std::size_t i = 0; i < layout.token_size(); ++i) {
      cache.key_cache[layout.index(slots[row], 0) + i] = key[row * layout.token_size() + i];
      cache.value_cache[layout.index(slots[row], 0) + i] = value[row * layout.token_size() + i];
    }
  }
}

SlotId slot_of(std::span<const BlockId> table, std::size_t position, std::size_t block_size) {
  return table[position / block_size] * static_cast<SlotId>(block_size) +
         static_cast<SlotId>(position % block_size);
}

// One head of one row, which may read these slots.
void attend(std::span<float> out,
            std::span<const float> query,
            const KVCache<float>& cache,
            std::span<const SlotId> slots,
            std::size_t kv_head,
            float scale) {
  std::vector<float> scores;
  for (const SlotId slot : slots) {
    const auto key = cache.key(slot, kv_head);
    float score = 0;
    for (std::size_t d = 0; d < query.size(); ++d) score += query[d] * key[d];
    scores.push_back(scale * score);
  }

  const float max = *std::ranges::max_element(scores);
  float sum = 0;
  std::ranges::fill(out, 0.0f);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto value = cache.value(slots[i], kv_head);
    const float weight = std::exp(scores[i] - max);
    sum += weight;
    for (std::size_t d = 0; d < out.size(); ++d) out[d] += weight * value[d];
  }
  for (float& number : out) number /= sum;
}

}  // namespace

ModelInput prepare_inputs(const SchedulerOutput& output,
                          const Scheduler& scheduler,
                          const KVCacheManager& kv_cache_manager) {
  ModelInput input;
  for (const ScheduledRequest& scheduled : output.scheduled)
    input.max_num_blocks = std::max(kv_cache_manager.get_blocks(scheduled.request_id).num_blocks(),
                                    input.max_num_blocks);
  for (const ScheduledRequest& scheduled : output.scheduled) {
    const BlockTable& table = kv_cache_manager.get_blocks(scheduled.request_id);
    for (std::size_t i = 0; i < input.max_num_blocks; ++i)
      input.block_tables.push_back(i < table.num_blocks() ? table.blocks()[i]->block_id : 0);

    input.query_start_loc.push_back(input.positions.size());
    input.seq_lens.push_back(scheduled.num_computed_tokens + scheduled.num_tokens);
    for (std::size_t i = 0; i < scheduled.num_tokens; ++i)
      input.positions.push_back(scheduled.num_computed_tokens + i);
  }
  input.query_start_loc.push_back(input.positions.size());

  for (std::size_t req = 0; req < input.num_reqs(); ++req) {
    const ScheduledRequest& scheduled = output.scheduled[req];
    const ServedRequest& request = scheduler.request(scheduled.request_id);
    for (std::size_t i = input.query_start_loc[req]; i < input.query_start_loc[req + 1]; ++i) {
      const std::size_t position = input.positions[i];
      input.input_ids.push_back(token_at(position, request, scheduled));
      input.slot_mapping.push_back(
          kv_cache_manager.get_blocks(scheduled.request_id).slot(position));
    }
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

  write_rows(key, value, input.slot_mapping, cache);
  const std::size_t dim = cache.layout.head_dim;
  for (std::size_t req = 0; req < input.num_reqs(); ++req) {
    const std::size_t num_heads = query.size() / dim / input.slot_mapping.size();
    const std::size_t group_size = num_heads / cache.layout.num_kv_heads;
    std::vector<SlotId> slots;
    for (std::size_t position = 0; position < input.seq_lens[req]; ++position)
      slots.push_back(slot_of(input.block_table(req), position, cache.layout.block_size));

    const std::size_t end = input.query_start_loc[req + 1];
    for (std::size_t row = input.query_start_loc[req]; row < end; ++row) {
      const auto readable = std::span(slots).first(slots.size() + row + 1 - end);
      for (std::size_t head = 0; head < num_heads; ++head) {
        const std::size_t at = (row * num_heads + head) * dim;
        attend(out.subspan(at, dim), query.subspan(at, dim), cache, readable, head / group_size,
               scale);
      }
    }
  }
}

}  // namespace kv

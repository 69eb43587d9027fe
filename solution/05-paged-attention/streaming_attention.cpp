#include <algorithm>
#include <cmath>

#include "05-paged-attention/given/attention_math.h"
#include "05-paged-attention/given/shape_checks.h"
#include "05-paged-attention/paged_attention.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

template <class Real>
AttentionState<Real> attend_block(std::span<const Real> query,
                                  const KVCache<Real>& cache,
                                  BlockId block_id,
                                  std::size_t kv_head,
                                  std::size_t num_tokens,
                                  Real scale) {
  const PagedLayout& layout = cache.layout;
  KV_REQUIRE("the tensors of the cache have the size of its layout", has_its_layout(cache));
  KV_REQUIRE("the block, the KV head and the slots are in the cache, and query is one head",
             covers(layout, {&block_id, 1}, num_tokens) && kv_head < layout.num_kv_heads &&
                 query.size() == layout.head_dim);

  AttentionState<Real> state(layout.head_dim);
  const SlotId first_slot = block_id * static_cast<SlotId>(layout.block_size);
  const SlotId end_slot = first_slot + static_cast<SlotId>(num_tokens);

  std::vector<Real> scores;
  for (SlotId slot = first_slot; slot < end_slot; ++slot) {
    scores.push_back(scale * dot(query, cache.key(slot, kv_head)));
    state.max = std::max(state.max, scores.back());
  }

  for (SlotId slot = first_slot; slot < end_slot; ++slot) {
    const Real weight = std::exp(scores[static_cast<std::size_t>(slot - first_slot)] - state.max);
    state.sum += weight;
    add_scaled(state.out, weight, cache.value(slot, kv_head));
  }
  return state;
}

template <class Real>
void merge_attn_states(AttentionState<Real>& state, const AttentionState<Real>& more) {
  KV_REQUIRE("both states are of one head_dim", state.out.size() == more.out.size());

  if (more.sum == 0) return;

  const Real max = std::max(state.max, more.max);
  const Real keep = std::exp(state.max - max);
  const Real take = std::exp(more.max - max);

  state.max = max;
  state.sum = keep * state.sum + take * more.sum;
  for (std::size_t i = 0; i < state.out.size(); ++i) {
    state.out[i] = keep * state.out[i] + take * more.out[i];
  }
}

template <class Real>
void paged_attention_streaming(std::span<Real> out,
                               std::span<const Real> query,
                               const KVCache<Real>& cache,
                               std::span<const BlockId> block_table,
                               std::size_t seq_len,
                               Real scale) {
  const PagedLayout& layout = cache.layout;
  KV_REQUIRE("the tensors of the cache have the size of its layout", has_its_layout(cache));
  KV_REQUIRE("num_heads is a multiple of num_kv_heads, and out is as large as query",
             shapes_match(out, query, 1, layout));
  KV_REQUIRE("I11: the table names a block of the cache for each of seq_len tokens",
             covers(layout, block_table, seq_len));

  const std::size_t num_heads = query.size() / layout.head_dim;
  for (std::size_t head = 0; head < num_heads; ++head) {
    const std::size_t kv_head = head / heads_per_kv_head(num_heads, layout);
    const auto q = query.subspan(head * layout.head_dim, layout.head_dim);
    const auto o = out.subspan(head * layout.head_dim, layout.head_dim);

    AttentionState<Real> state(layout.head_dim);
    for (std::size_t first = 0; first < seq_len; first += layout.block_size) {
      const BlockId block_id = block_table[first / layout.block_size];
      const std::size_t num_tokens = std::min(layout.block_size, seq_len - first);
      merge_attn_states(state, attend_block(q, cache, block_id, kv_head, num_tokens, scale));
    }

    std::ranges::copy(state.out, o.begin());
    if (state.sum == 0) continue;  // no tokens: zeros
    for (Real& number : o) number /= state.sum;
  }
}

// A template in a .cpp file is compiled only for the types that are listed here. Why decltype: it
// is the signature, which would have to be written again.
template decltype(attend_block<float>) attend_block<float>;
template decltype(attend_block<double>) attend_block<double>;
template decltype(merge_attn_states<float>) merge_attn_states<float>;
template decltype(merge_attn_states<double>) merge_attn_states<double>;
template decltype(paged_attention_streaming<float>) paged_attention_streaming<float>;
template decltype(paged_attention_streaming<double>) paged_attention_streaming<double>;

}  // namespace kv

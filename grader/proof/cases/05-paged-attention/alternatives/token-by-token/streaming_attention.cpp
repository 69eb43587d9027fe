// One pass, token by token, all heads of a token before the next token; the textbook's recurrence.

#include <cmath>

#include "05-paged-attention/given/attention_math.h"
#include "05-paged-attention/given/shape_checks.h"
#include "05-paged-attention/paged_attention.h"
#include "kv/require.h"

namespace kv {

// Adds one token to a state.
template <class Real>
static void absorb(AttentionState<Real>& state, Real score, std::span<const Real> value) {
  if (score > state.max) {
    const Real keep = std::exp(state.max - score);
    state.sum *= keep;
    for (Real& number : state.out) number *= keep;
    state.max = score;
  }
  const Real weight = std::exp(score - state.max);
  state.sum += weight;
  add_scaled(state.out, weight, value);
}

template <class Real>
AttentionState<Real> attend_block(std::span<const Real> query,
                                  const KVCache<Real>& cache,
                                  BlockId block_id,
                                  std::size_t kv_head,
                                  std::size_t num_tokens,
                                  Real scale) {
  KV_REQUIRE("the tensors of the cache have the size of its layout", has_its_layout(cache));
  KV_REQUIRE("the block, the KV head and the slots are in the cache, and query is one head",
             covers(cache.layout, {&block_id, 1}, num_tokens) &&
                 kv_head < cache.layout.num_kv_heads && query.size() == cache.layout.head_dim);
  AttentionState<Real> state(query.size());
  for (std::size_t i = 0; i < num_tokens; ++i) {
    const auto slot =
        static_cast<SlotId>(static_cast<std::size_t>(block_id) * cache.layout.block_size + i);
    absorb<Real>(state, scale * dot(query, cache.key(slot, kv_head)), cache.value(slot, kv_head));
  }
  return state;
}

// Rescales only the side with the smaller maximum.
template <class Real>
void merge_attn_states(AttentionState<Real>& state, const AttentionState<Real>& more) {
  KV_REQUIRE("both states are of one head_dim", state.out.size() == more.out.size());
  if (more.sum == 0) return;
  if (more.max <= state.max) {
    const Real factor = std::exp(more.max - state.max);
    state.sum += factor * more.sum;
    add_scaled(state.out, factor, more.out);
    return;
  }
  const Real factor = std::exp(state.max - more.max);
  state.max = more.max;
  state.sum = factor * state.sum + more.sum;
  for (Real& number : state.out) number *= factor;
  add_scaled(state.out, Real{1}, more.out);
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
  std::vector<AttentionState<Real>> states(num_heads, AttentionState<Real>(layout.head_dim));
  for (std::size_t i = 0; i < seq_len; ++i) {
    const SlotId slot = build_slot_mapping(block_table, layout.block_size, i, 1)[0];
    for (std::size_t head = 0; head < num_heads; ++head) {
      const std::size_t kv_head = head / heads_per_kv_head(num_heads, layout);
      const auto q = query.subspan(head * layout.head_dim, layout.head_dim);
      absorb<Real>(states[head], scale * dot(q, cache.key(slot, kv_head)),
                   cache.value(slot, kv_head));
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const AttentionState<Real>& state = states[i / layout.head_dim];
    out[i] = seq_len == 0 ? 0 : state.out[i % layout.head_dim] / state.sum;
  }
}

template decltype(attend_block<float>) attend_block<float>;
template decltype(attend_block<double>) attend_block<double>;
template decltype(merge_attn_states<float>) merge_attn_states<float>;
template decltype(merge_attn_states<double>) merge_attn_states<double>;
template decltype(paged_attention_streaming<float>) paged_attention_streaming<float>;
template decltype(paged_attention_streaming<double>) paged_attention_streaming<double>;

}  // namespace kv

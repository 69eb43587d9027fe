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

  KV_TODO("5.7 attend_block");
}

template <class Real>
void merge_attn_states(AttentionState<Real>& state, const AttentionState<Real>& more) {
  KV_REQUIRE("both states are of one head_dim", state.out.size() == more.out.size());

  KV_TODO("5.8 merge_attn_states");
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

  KV_TODO("5.9 paged_attention_streaming");
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

#include "05-paged-attention/paged_attention.h"

#include <algorithm>
#include <cmath>

#include "05-paged-attention/given/attention_math.h"
#include "05-paged-attention/given/shape_checks.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

template <class Real>
void stable_softmax(std::span<Real> scores) {
  if (scores.empty()) return;

  const Real largest = *std::ranges::max_element(scores);
  Real sum = 0;
  for (Real& score : scores) {
    score = std::exp(score - largest);
    sum += score;
  }

  for (Real& weight : scores) weight /= sum;
}

template <class Real>
void paged_attention(std::span<Real> out,
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
  const auto slots = build_slot_mapping(block_table, layout.block_size, 0, seq_len);
  std::vector<Real> weights(seq_len);
  std::ranges::fill(out, Real{0});

  for (std::size_t head = 0; head < num_heads; ++head) {
    const std::size_t kv_head = head / heads_per_kv_head(num_heads, layout);
    const auto q = query.subspan(head * layout.head_dim, layout.head_dim);
    const auto o = out.subspan(head * layout.head_dim, layout.head_dim);

    for (std::size_t i = 0; i < seq_len; ++i) {
      weights[i] = scale * dot(q, cache.key(slots[i], kv_head));
    }
    stable_softmax<Real>(weights);

    for (std::size_t i = 0; i < seq_len; ++i) {
      add_scaled(o, weights[i], cache.value(slots[i], kv_head));
    }
  }
}

template <class Real>
void paged_attention_batch(std::span<Real> out,
                           std::span<const Real> query,
                           const KVCache<Real>& cache,
                           std::span<const BlockId> block_tables,
                           std::span<const std::size_t> seq_lens,
                           Real scale) {
  const std::size_t num_seqs = seq_lens.size();
  KV_REQUIRE("the tensors of the cache have the size of its layout", has_its_layout(cache));
  KV_REQUIRE("query and out have a row, and block_tables a row of equal length, for each sequence",
             shapes_match(out, query, num_seqs, cache.layout));
  KV_REQUIRE("I11: each table names a block of the cache for each of its seq_len tokens",
             covers_batch(cache.layout, block_tables, seq_lens));

  for (std::size_t seq = 0; seq < num_seqs; ++seq) {
    const std::size_t row = query.size() / num_seqs;
    const std::size_t max_num_blocks = block_tables.size() / num_seqs;
    paged_attention<Real>(out.subspan(seq * row, row), query.subspan(seq * row, row), cache,
                          block_tables.subspan(seq * max_num_blocks, max_num_blocks), seq_lens[seq],
                          scale);
  }
}

template <class Real>
void paged_prefill_attention(std::span<Real> out,
                             std::span<const Real> query,
                             const KVCache<Real>& cache,
                             std::span<const BlockId> block_table,
                             std::size_t context_len,
                             std::size_t num_tokens,
                             Real scale) {
  KV_REQUIRE("the tensors of the cache have the size of its layout", has_its_layout(cache));
  KV_REQUIRE("query and out have a row for each token of the chunk",
             shapes_match(out, query, num_tokens, cache.layout));
  KV_REQUIRE(
      "I11: the table names a block of the cache for each token of the context and the chunk",
      covers(cache.layout, block_table, num_tokens, context_len));

  for (std::size_t i = 0; i < num_tokens; ++i) {
    const std::size_t row = query.size() / num_tokens;
    paged_attention<Real>(out.subspan(i * row, row), query.subspan(i * row, row), cache,
                          block_table, context_len + i + 1, scale);
  }
}

// A template in a .cpp file is compiled only for the types that are listed here. Why decltype: it
// is the signature, which would have to be written again.
template decltype(stable_softmax<float>) stable_softmax<float>;
template decltype(stable_softmax<double>) stable_softmax<double>;
template decltype(paged_attention<float>) paged_attention<float>;
template decltype(paged_attention<double>) paged_attention<double>;
template decltype(paged_attention_batch<float>) paged_attention_batch<float>;
template decltype(paged_attention_batch<double>) paged_attention_batch<double>;
template decltype(paged_prefill_attention<float>) paged_prefill_attention<float>;
template decltype(paged_prefill_attention<double>) paged_prefill_attention<double>;

}  // namespace kv

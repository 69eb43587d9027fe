// Tokens in the outer loop, newest first, and heads in the inner one.

#include "05-paged-attention/paged_attention.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "05-paged-attention/given/attention_math.h"
#include "05-paged-attention/given/shape_checks.h"
#include "kv/require.h"

namespace kv {

template <class Real>
void stable_softmax(std::span<Real> scores) {
  Real largest = -std::numeric_limits<Real>::infinity();
  for (const Real score : scores) largest = std::fmax(largest, score);
  Real sum = 0;
  for (const Real score : scores) sum += std::exp(score - largest);
  for (Real& score : scores) score = std::exp(score - largest) / sum;
}

// Calls visit(position, slot) for every token, the newest first.
static void for_each_slot(std::span<const BlockId> block_table,
                          std::size_t block_size,
                          std::size_t seq_len,
                          const std::function<void(std::size_t, SlotId)>& visit) {
  for (std::size_t position = seq_len; position-- > 0;) {
    const SlotId block_id = block_table[position / block_size];
    visit(position,
          block_id * static_cast<SlotId>(block_size) + static_cast<SlotId>(position % block_size));
  }
}

// [num_heads, seq_len]
template <class Real>
static std::vector<Real> scores_of(std::span<const Real> query,
                                   const KVCache<Real>& cache,
                                   std::span<const BlockId> block_table,
                                   std::size_t seq_len,
                                   Real scale) {
  const PagedLayout& layout = cache.layout;
  const std::size_t num_heads = query.size() / layout.head_dim;
  std::vector<Real> scores(num_heads * seq_len);
  for_each_slot(block_table, layout.block_size, seq_len, [&](std::size_t i, SlotId slot) {
    for (std::size_t head = 0; head < num_heads; ++head) {
      const auto q = query.subspan(head * layout.head_dim, layout.head_dim);
      const auto k = cache.key(slot, head * layout.num_kv_heads / num_heads);
      scores[head * seq_len + i] = dot(q, k) * scale;
    }
  });
  return scores;
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
  const std::size_t group_size = num_heads / layout.num_kv_heads;
  auto weights = scores_of<Real>(query, cache, block_table, seq_len, scale);
  for (std::size_t head = 0; head < num_heads; ++head) {
    stable_softmax<Real>(std::span(weights).subspan(head * seq_len, seq_len));
  }
  for (Real& number : out) number = 0;
  for_each_slot(block_table, layout.block_size, seq_len, [&](std::size_t i, SlotId slot) {
    for (std::size_t head = 0; head < num_heads; ++head) {
      const auto o = out.subspan(head * layout.head_dim, layout.head_dim);
      add_scaled(o, weights[head * seq_len + i], cache.value(slot, head / group_size));
    }
  });
}

template <class Real>
void paged_attention_batch(std::span<Real> out,
                           std::span<const Real> query,
                           const KVCache<Real>& cache,
                           std::span<const BlockId> block_tables,
                           std::span<const std::size_t> seq_lens,
                           Real scale) {
  KV_REQUIRE("the tensors of the cache have the size of its layout", has_its_layout(cache));
  KV_REQUIRE("query and out have a row, and block_tables a row of equal length, for each sequence",
             shapes_match(out, query, seq_lens.size(), cache.layout));
  KV_REQUIRE("I11: each table names a block of the cache for each of its seq_len tokens",
             covers_batch(cache.layout, block_tables, seq_lens));
  std::size_t rows_left = seq_lens.size();
  for (const std::size_t seq_len : seq_lens) {
    const std::size_t row = out.size() / rows_left;
    const std::size_t table_row = block_tables.size() / rows_left--;
    paged_attention<Real>(out.first(row), query.first(row), cache, block_tables.first(table_row),
                          seq_len, scale);
    out = out.subspan(row);
    query = query.subspan(row);
    block_tables = block_tables.subspan(table_row);
  }
}

// The last query first.
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
  for (std::size_t left = num_tokens; left > 0; --left) {
    const std::size_t row = query.size() / num_tokens;
    paged_attention<Real>(out.subspan((left - 1) * row, row), query.subspan((left - 1) * row, row),
                          cache, block_table, context_len + left, scale);
  }
}

template decltype(stable_softmax<float>) stable_softmax<float>;
template decltype(stable_softmax<double>) stable_softmax<double>;
template decltype(paged_attention<float>) paged_attention<float>;
template decltype(paged_attention<double>) paged_attention<double>;
template decltype(paged_attention_batch<float>) paged_attention_batch<float>;
template decltype(paged_attention_batch<double>) paged_attention_batch<double>;
template decltype(paged_prefill_attention<float>) paged_prefill_attention<float>;
template decltype(paged_prefill_attention<double>) paged_prefill_attention<double>;

}  // namespace kv

#pragma once
// Given to every step that attends: two lines of algebra, and whether a call makes sense.

#include <algorithm>
#include <cstddef>
#include <span>

#include "05-paged-attention/paged_layout.h"

namespace kv {

template <class Real>
Real dot(std::span<const Real> a, std::span<const Real> b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// sum += factor * values
template <class Real>
void add_scaled(std::span<Real> sum, Real factor, std::span<const Real> values) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * values[i];
}

// How many query heads read one KV head; 0 if num_heads is no multiple of num_kv_heads.
inline std::size_t heads_per_kv_head(std::size_t num_heads, const PagedLayout& layout) {
  if (layout.num_kv_heads == 0 || num_heads % layout.num_kv_heads != 0) return 0;
  return num_heads / layout.num_kv_heads;
}

// Are there num_tokens rows of query heads in `query`, and as many in `out`?
template <class Real>
bool shapes_match(std::span<Real> out,
                  std::span<const Real> query,
                  std::size_t num_tokens,
                  const PagedLayout& layout) {
  if (out.size() != query.size() || layout.head_dim == 0) return false;
  if (num_tokens == 0) return query.empty();
  const std::size_t num_heads = query.size() / num_tokens / layout.head_dim;
  return num_heads * num_tokens * layout.head_dim == query.size() &&
         heads_per_kv_head(num_heads, layout) > 0;
}

// Does the table lead to seq_len slots of the cache?
inline bool covers(const PagedLayout& layout,
                   std::span<const BlockId> block_table,
                   std::size_t seq_len) {
  if (layout.block_size == 0) return false;
  const std::size_t num_blocks = (seq_len + layout.block_size - 1) / layout.block_size;
  if (num_blocks > block_table.size()) return false;
  return std::ranges::all_of(block_table.first(num_blocks), [&](BlockId id) {
    return id >= 0 && static_cast<std::size_t>(id) < layout.num_blocks;
  });
}

// Does each row of the tables, one for each sequence?
inline bool each_leads_into(const PagedLayout& layout,
                            std::span<const BlockId> block_tables,
                            std::span<const std::size_t> seq_lens) {
  if (seq_lens.empty()) return block_tables.empty();
  if (block_tables.size() % seq_lens.size() != 0) return false;
  const std::size_t row = block_tables.size() / seq_lens.size();
  for (std::size_t seq = 0; seq < seq_lens.size(); ++seq) {
    if (!covers(layout, block_tables.subspan(seq * row, row), seq_lens[seq])) return false;
  }
  return true;
}

}  // namespace kv

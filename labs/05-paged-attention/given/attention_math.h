#pragma once
// Given to every step that attends: two vector operations, and the checks of a call's shapes.

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "05-paged-attention/paged_layout.h"

namespace kv {

template <class Real>
Real dot(std::span<const Real> a, std::span<const Real> b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// dot(a, b) of spans and vectors, const or not: Real is the type of their elements.
template <class A, class B>
auto dot(const A& a, const B& b) {
  return dot<typename A::value_type>(a, b);
}

// sum += factor * values
template <class Real>
void add_scaled(std::span<Real> sum, Real factor, std::span<const Real> values) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * values[i];
}

// add_scaled(sum, factor, values) of spans and vectors, const or not.
template <class Sum, class Real, class Values>
void add_scaled(Sum&& sum, Real factor, const Values& values) {
  add_scaled<typename std::remove_cvref_t<Sum>::value_type>(sum, factor, values);
}

// How many query heads read one KV head; 0 if num_heads is not a multiple of num_kv_heads.
inline std::size_t heads_per_kv_head(std::size_t num_heads, const PagedLayout& layout) {
  if (layout.num_kv_heads == 0 || num_heads % layout.num_kv_heads != 0) return 0;
  return num_heads / layout.num_kv_heads;
}

// Whether query and out have one size, num_tokens rows, and in each row a number of query heads
// that is a multiple of num_kv_heads.
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

// Whether the blocks of the table that seq_len tokens need exist, in the table and in the cache.
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

// covers() for each sequence of a batch and its row of the tables.
inline bool covers_batch(const PagedLayout& layout,
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

#pragma once
// Given to every step that takes spans: the checks of a call's shapes. None of them multiplies or
// adds sizes that could wrap around.

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <span>

#include "05-paged-attention/given/attention_math.h"
#include "05-paged-attention/paged_layout.h"

namespace kv {

// Whether size is the product of the factors, also where the product does not fit into a size_t.
inline bool is_product(std::size_t size, std::initializer_list<std::size_t> factors) {
  if (std::ranges::count(factors, std::size_t{0}) > 0) return size == 0;
  for (const std::size_t factor : factors) {
    if (size % factor != 0) return false;
    size /= factor;
  }
  return size == 1;
}

// Whether a tensor of this size has this layout.
inline bool is_tensor(std::size_t size, const PagedLayout& layout) {
  return layout.block_size > 0 && layout.num_kv_heads > 0 && layout.head_dim > 0 &&
         is_product(size,
                    {layout.block_size, layout.num_kv_heads, layout.head_dim, layout.num_blocks});
}

// Whether both tensors of a cache have its layout.
template <class Real>
bool has_its_layout(const KVCache<Real>& cache) {
  return is_tensor(cache.key_cache.size(), cache.layout) &&
         is_tensor(cache.value_cache.size(), cache.layout);
}

template <class Stored>
struct TiledKVCache;

// Whether the tiles of a cache are as many as its shape says: as long as two tensors. And head_dim
// is a multiple of the tokens of a tile, or there is no such shape.
template <class Stored>
bool has_its_layout(const TiledKVCache<Stored>& cache) {
  return cache.head_dim % cache.layout().block_size == 0 && cache.tiles.size() % 2 == 0 &&
         is_tensor(cache.tiles.size() / 2, cache.layout());
}

// Whether both caches have their layouts, and these are equal.
template <class Real, class Stored>
bool have_one_layout(const KVCache<Real>& plain, const TiledKVCache<Stored>& tiled) {
  const PagedLayout& layout = plain.layout;
  const PagedLayout other = tiled.layout();
  return has_its_layout(plain) && has_its_layout(tiled) && layout.num_blocks == other.num_blocks &&
         layout.block_size == other.block_size && layout.num_kv_heads == other.num_kv_heads &&
         layout.head_dim == other.head_dim;
}

// Whether keys or values have one row of token_size() numbers for each of num_tokens.
template <class Real>
bool has_rows(std::span<const Real> numbers, std::size_t num_tokens, const PagedLayout& layout) {
  return is_product(numbers.size(), {num_tokens, layout.num_kv_heads, layout.head_dim});
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

// Whether the table has a block with an id below num_blocks for each of the positions start to
// start + num_tokens - 1, and start is not past its end.
inline bool names_blocks(std::span<const BlockId> block_table,
                         std::size_t block_size,
                         std::size_t start,
                         std::size_t num_tokens,
                         std::size_t num_blocks) {
  if (block_size == 0 || start > std::numeric_limits<std::size_t>::max() - num_tokens) return false;
  const std::size_t end = start + num_tokens;
  const std::size_t end_block = end / block_size + (end % block_size == 0 ? 0 : 1);
  if (end_block > block_table.size()) return false;
  const std::size_t first_block = std::min(start / block_size, end_block);
  return std::ranges::all_of(
      block_table.subspan(first_block, end_block - first_block),
      [&](BlockId id) { return id >= 0 && static_cast<std::size_t>(id) < num_blocks; });
}

// Whether each of these positions has a slot: names_blocks, in a cache as large as SlotId allows.
inline bool has_slots(std::span<const BlockId> block_table,
                      std::size_t block_size,
                      std::size_t start,
                      std::size_t num_tokens) {
  constexpr std::size_t kMaxSlots = std::numeric_limits<SlotId>::max();
  return block_size > 0 &&
         names_blocks(block_table, block_size, start, num_tokens, kMaxSlots / block_size);
}

// Whether the blocks of the table that context_len + num_tokens tokens need exist, in the table and
// in the cache.
inline bool covers(const PagedLayout& layout,
                   std::span<const BlockId> block_table,
                   std::size_t num_tokens,
                   std::size_t context_len = 0) {
  return names_blocks(block_table, layout.block_size, 0, context_len, layout.num_blocks) &&
         names_blocks(block_table, layout.block_size, context_len, num_tokens, layout.num_blocks);
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

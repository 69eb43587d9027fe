#pragma once
// The fast one. A layout of its own, so that each KV head of each block is one run of memory that
// is read from its beginning to its end:
//
//   [num_blocks, num_kv_heads, 2, head_dim * kTileTokens]
//
// One block, one head, with 32 dimensions:
//
//   K tile [head_dim][16 tokens]          V tile [head_dim / 16][16 tokens][16 dimensions]
//     d0   t0 t1 t2 ... t15                 t0   d0 d1 d2 ... d15
//     d1   t0 t1 t2 ... t15                 t1   d0 d1 d2 ... d15
//     ...                                   ...
//     d31  t0 t1 t2 ... t15                 t15  d0 d1 d2 ... d15
//                                           t0   d16 d17  ... d31
//                                           ...
//
// A row of the K tile is one dimension of sixteen keys: times one number of the query it adds to
// sixteen scores at once, and no score is ever summed across a register. A row of the V tile, times
// the weight of its token, adds to sixteen numbers of the result.
//
// Stored is float or BFloat16; sums are float. A row of floats is sixteen words of 32 bits. So are
// two rows of BFloat16, number beside number, and as a bfloat16 is the upper half of a float, each
// row is one instruction away: the lower one a shift, the upper one a mask.
//
//   lower half of a word     d0 t0   d0 t1  ...  d0 t15         t0 d0   t0 d1  ...  t0 d15
//   upper half               d1 t0   d1 t1  ...  d1 t15         t1 d0   t1 d1  ...  t1 d15
//
// The laws I10 and I11 hold here too, but slots behind the last token may be loaded with their
// neighbors, as long as nothing comes of them.

#include <cstddef>
#include <span>

#include "05-paged-attention/given/bfloat16.h"
#include "05-paged-attention/paged_attention.h"

namespace kv {

constexpr std::size_t kTileTokens = 16;  // block_size; head_dim is a multiple of it
constexpr std::size_t kBundle = 4;       // query heads that a tile is read for at once

template <class Stored>
constexpr std::size_t kRowsInWord = sizeof(float) / sizeof(Stored);  // of 32 bits: 1 or 2

// Where a row of a tile has its number for one of the sixteen lanes.
template <class Stored>
constexpr std::size_t place_in_tile(std::size_t row, std::size_t lane) {
  constexpr std::size_t kRows = kRowsInWord<Stored>;
  return (row / kRows * kTileTokens + lane) * kRows + row % kRows;
}

template <class Stored>
struct TiledKVCache {
  std::size_t num_blocks;
  std::size_t num_kv_heads;
  std::size_t head_dim;
  std::span<Stored> tiles;  // [num_blocks, num_kv_heads, 2, head_dim * kTileTokens]

  PagedLayout layout() const { return {num_blocks, kTileTokens, num_kv_heads, head_dim}; }
  std::size_t tile_size() const { return head_dim * kTileTokens; }
  std::size_t size() const { return num_blocks * num_kv_heads * 2 * tile_size(); }

  // The K tile of this head of this block; the V tile stands right behind it.
  Stored* tile(BlockId block_id, std::size_t kv_head) const {
    const auto block = static_cast<std::size_t>(block_id);
    return tiles.data() + (block * num_kv_heads + kv_head) * 2 * tile_size();
  }
};

// 5.10 (extra)  write_kv for tiles, with the same rules; blocks have kTileTokens slots.
template <class Stored>
void write_kv_tiled(std::span<const float> k,              // [num_tokens, num_kv_heads, head_dim]
                    std::span<const float> v,              // [num_tokens, num_kv_heads, head_dim]
                    std::span<const SlotId> slot_mapping,  // [num_tokens]
                    const TiledKVCache<Stored>& cache);

// 5.11 (extra)  The whole of a plain cache, as tiles: every slot has what it had, narrowed.
// Misuse: caches of different shapes, or blocks of another size than kTileTokens, are refused.
template <class Stored>
void tile_kv_cache(const KVCache<float>& plain, const TiledKVCache<Stored>& cache);

// 5.12 (extra)  kBundle heads read the first num_tokens tokens of one tile pair, into their states.
// Asks for the memory of the next tile meanwhile, and does not wait for it.
// No checks: this is the inside of a loop.
// O(kBundle * num_tokens * head_dim), allocates nothing.
template <class Stored>
void attend_tile(const Stored* tile,       // [2, head_dim * kTileTokens]
                 const Stored* next_tile,  // [2, head_dim * kTileTokens], or this one if none is
                 const float* query,       // [kBundle, head_dim], times scale already
                 std::size_t num_tokens,
                 std::span<AttentionState<float>, kBundle> states);

// How the work is cut. The result hangs on num_splits in its last bits, and on num_threads not.
struct WorkPlan {
  std::size_t num_threads = 1;
  std::size_t num_splits = 1;  // parts of equal length that each sequence is read in
};

// 5.13 (extra)  paged_attention_batch on tiles. Each KV head is read once for its whole group of
// query heads, in one pass.
// Misuse: as in paged_attention_batch, and a plan of no threads or no splits.
template <class Stored>
void paged_attention_tiled(
    std::span<float> out,                   // [num_seqs, num_heads, head_dim]
    std::span<const float> query,           // [num_seqs, num_heads, head_dim]
    const TiledKVCache<Stored>& cache,      // [num_blocks, num_kv_heads, 2, ...]
    std::span<const BlockId> block_tables,  // [num_seqs, max_num_blocks_per_seq]
    std::span<const std::size_t> seq_lens,  // [num_seqs]
    float scale,
    WorkPlan plan = {});

}  // namespace kv

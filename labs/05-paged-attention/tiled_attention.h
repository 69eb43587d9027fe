#pragma once
// The optimized kernel. Its own layout, in which each KV head of each block is one contiguous run
// of memory that is read from its beginning to its end:
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
// A row of the K tile is one dimension of sixteen keys. Multiplied by one number of the query it
// adds to sixteen scores at once, one in each lane, so no score is summed across a register. A row
// of the V tile, multiplied by the weight of its token, adds to sixteen numbers of the result.
//
// Stored is float or BFloat16; sums are float. A row of floats is sixteen words of 32 bits. Two
// rows of BFloat16 share sixteen words: the first row is in the lower halves, the second in the
// upper halves. A bfloat16 is the upper half of a float, so one instruction widens a row: a shift
// for the lower halves, a mask for the upper ones.
//
//   lower half of a word     d0 t0   d0 t1  ...  d0 t15         t0 d0   t0 d1  ...  t0 d15
//   upper half               d1 t0   d1 t1  ...  d1 t15         t1 d0   t1 d1  ...  t1 d15
//
// Refused is what paged_attention.h says: also tiles of another size than their shape, and a
// head_dim that is not a multiple of kTileTokens.
//
// I10 and I11 hold here too, with one exception: slots after the last token may be loaded together
// with their neighbors, if they do not change the result.

#include <cstddef>
#include <span>

#include "05-paged-attention/given/bfloat16.h"
#include "05-paged-attention/paged_attention.h"

namespace kv {

constexpr std::size_t kTileTokens = 16;  // block_size; head_dim is a multiple of it
constexpr std::size_t kHeadsAtOnce = 4;  // query heads that share one reading of a tile

template <class Stored>
constexpr std::size_t kRowsInWord = sizeof(float) / sizeof(Stored);  // 1 or 2 in a word of 32 bits

// The index within a tile of one of the sixteen numbers (lanes) of a row.
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

  // The K tile of this head of this block. The V tile follows it, tile_size() numbers later.
  Stored* tile(BlockId block_id, std::size_t kv_head) const {
    const auto block = static_cast<std::size_t>(block_id);
    return tiles.data() + (block * num_kv_heads + kv_head) * 2 * tile_size();
  }
};

// 5.10 (extra)  write_kv for tiles, with the same rules; a block has kTileTokens slots.
template <class Stored>
void write_kv_tiled(std::span<const float> k,              // [num_tokens, num_kv_heads, head_dim]
                    std::span<const float> v,              // [num_tokens, num_kv_heads, head_dim]
                    std::span<const SlotId> slot_mapping,  // [num_tokens]
                    const TiledKVCache<Stored>& cache);

// 5.11 (extra)  Copies every slot of a plain cache into the same slot of the tiles, narrowed.
// Misuse: caches of different shapes, or a block_size other than kTileTokens, are refused.
template <class Stored>
void tile_kv_cache(const KVCache<float>& plain, const TiledKVCache<Stored>& cache);

// 5.12 (extra)  Adds the first num_tokens tokens of one tile pair, 0 to kTileTokens, to the states
// of kHeadsAtOnce query heads that read the same KV head. 0 tokens leave the states unchanged.
// Prefetches the next tile and does not wait for it. No checks: this is the inside of a loop.
// Threads may call it at one time, each with its own states.
// O(kHeadsAtOnce * num_tokens * head_dim), allocates nothing.
template <class Stored>
void attend_tile(const Stored* tile,       // [2, head_dim * kTileTokens]
                 const Stored* next_tile,  // [2, head_dim * kTileTokens]; `tile` if there is none
                 const float* query,       // [kHeadsAtOnce, head_dim], times scale already
                 std::size_t num_tokens,
                 std::span<AttentionState<float>, kHeadsAtOnce> states);

// How the work is divided. The last bits of the result depend on num_splits, but not on
// num_threads. Any number is allowed but 0: splits without a block and threads without work add
// nothing.
struct WorkPlan {
  std::size_t num_threads = 1;
  std::size_t num_splits = 1;  // into how many runs of blocks each sequence is cut
};

// 5.13 (extra)  paged_attention_batch on tiles, in one pass over keys and values. Each KV head is
// read from memory once for its whole group of query heads. Each split has states of its own, to
// which its blocks are added first to last; the states are merged first to last. Calls may run at
// one time.
// Misuse: as in paged_attention_batch; and a plan of 0 threads or 0 splits is refused.
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

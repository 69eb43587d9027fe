#pragma once
// Given to the optimized kernel: operations on sixteen numbers at a time, with Eigen. Why not in
// the contract: only the file that needs Eigen includes it.

#include <Eigen/Core>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "05-paged-attention/tiled_attention.h"

namespace kv {

using Lanes = Eigen::Array<float, kTileTokens, 1>;
using LanesPerHead = std::array<Lanes, kHeadsAtOnce>;

// Why a fence: it costs no instruction, and without it g++ loads the row again for each head.
inline Lanes load_row(const float* row) {
  const Lanes lanes = Eigen::Map<const Lanes>(row);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return lanes;
}

using Words [[gnu::vector_size(sizeof(Lanes))]] = std::uint32_t;  // sixteen

inline Lanes as_lanes(const Words& words) {
  Lanes lanes;
  std::memcpy(lanes.data(), &words, sizeof(words));
  return lanes;
}

// Calls add(index of the row, row) for each row that sixteen words hold: one row of floats, or two
// of BFloat16.
template <class Add>
void for_each_row(const float* words, Add add) {
  add(0, load_row(words));
}

template <class Add>
void for_each_row(const BFloat16* words, Add add) {
  Words both;
  std::memcpy(&both, words, sizeof(both));
  add(0, as_lanes(both << 16));
  add(1, as_lanes(both & 0xffff0000));
}

inline void store_row(const Lanes& lanes, float* row) {
  Eigen::Map<Lanes>{row} = lanes;
}

// sums[head] += factors[head][row] * rows[row], for each row and each of kHeadsAtOnce heads.
// Why four heads: each row is loaded once for all of them, and 4 x 16 sums still fit into
// registers. Why the prefetch: the next tile may be anywhere, and the hardware prefetcher would
// have to detect a new stream for each tile. One cache line per row, so that memory and arithmetic
// work together.
template <class Stored>
void add_products(const Stored* rows,      // [num_rows, kTileTokens], stored as in a tile
                  std::ptrdiff_t to_next,  // next tile - this tile
                  std::size_t num_rows,
                  const float* factors,  // [kHeadsAtOnce, factor_stride]
                  std::size_t factor_stride,
                  const std::array<float*, kHeadsAtOnce>& sums) {  // [kHeadsAtOnce][kTileTokens]
  Lanes sum0 = load_row(sums[0]), sum1 = load_row(sums[1]);
  Lanes sum2 = load_row(sums[2]), sum3 = load_row(sums[3]);
  for (std::size_t i = 0; i < num_rows; i += kRowsInWord<Stored>) {
    __builtin_prefetch(rows + i * kTileTokens + to_next);
    for_each_row(rows + i * kTileTokens, [&](std::size_t row_in_word, const Lanes& row) {
      const float* factor = factors + i + row_in_word;
      if (i + row_in_word >= num_rows) return;
      sum0 += factor[0] * row;
      sum1 += factor[factor_stride] * row;
      sum2 += factor[2 * factor_stride] * row;
      sum3 += factor[3 * factor_stride] * row;
    });
  }
  store_row(sum0, sums[0]);
  store_row(sum1, sums[1]);
  store_row(sum2, sums[2]);
  store_row(sum3, sums[3]);
}

}  // namespace kv

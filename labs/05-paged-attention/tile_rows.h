#pragma once
// Given to the fast one: sixteen numbers at a time. Eigen stays inside the file that includes this.

#include <Eigen/Core>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "05-paged-attention/tiled_attention.h"

namespace kv {

using Lanes = Eigen::Array<float, kTileTokens, 1>;
using BundleLanes = std::array<Lanes, kBundle>;

// Why a fence: it costs no instruction, and without it g++ reads the row anew for each head.
inline Lanes load_row(const float* row) {
  const Lanes lanes = Eigen::Map<const Lanes>(row);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return lanes;
}

inline Lanes load_row(const BFloat16* row) {
  std::array<std::uint32_t, kTileTokens> bits;
  for (std::size_t i = 0; i < kTileTokens; ++i) bits[i] = std::uint32_t{row[i].bits} << 16;
  Lanes lanes;
  std::memcpy(lanes.data(), bits.data(), sizeof(bits));
  return lanes;
}

// sums[head] += factors[head][row] * rows[row], for all rows.
// Why four heads: each row is loaded once for all, and 4 x 16 sums still fit into the registers.
// Why the prefetch: the next block lies anywhere, and a processor that finds streams by itself has
// to find it anew each time. A kilobyte ahead is far enough; past the end it is a hint for nothing.
template <class Stored>
void add_products(const Stored* rows,  // [num_rows, kTileTokens]
                  std::size_t num_rows,
                  const float* factors,  // [kBundle, factor_stride]
                  std::size_t factor_stride,
                  BundleLanes& sums) {
  constexpr std::size_t kAhead = 1024 / sizeof(Stored);
  Lanes sum0 = sums[0], sum1 = sums[1], sum2 = sums[2], sum3 = sums[3];
  for (std::size_t i = 0; i < num_rows; ++i) {
    __builtin_prefetch(rows + i * kTileTokens + kAhead);
    const Lanes row = load_row(rows + i * kTileTokens);
    sum0 += factors[i] * row;
    sum1 += factors[factor_stride + i] * row;
    sum2 += factors[2 * factor_stride + i] * row;
    sum3 += factors[3 * factor_stride + i] * row;
  }
  sums = {sum0, sum1, sum2, sum3};
}

}  // namespace kv

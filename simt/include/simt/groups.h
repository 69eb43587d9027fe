#pragma once
// What the groups of cooperative groups have in common: lanes of a warp as a mask, and values that
// are too wide for one shuffle.

#include "simt/builtins.h"
#include "simt/device_bits.h"
#include "simt/intrinsics.h"
#include "simt/shuffle.h"

namespace kv::simt {

KV_SIMT_INLINE unsigned rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
KV_SIMT_INLINE unsigned lane_of_thread() {
  return rank_in_block() % 32;
}

// The lanes in a row of `size` that the caller is in.
KV_SIMT_INLINE unsigned tile_mask(unsigned size) {
  return 0xffffffffu >> (32 - size) << lane_of_thread() / size * size;
}

// How many lanes of the mask come before the caller.
KV_SIMT_INLINE unsigned rank_in_mask(unsigned mask) {
  return static_cast<unsigned>(__popc(mask & ((1u << lane_of_thread()) - 1)));
}

// The lane with this rank; the caller's own if there is none.
KV_SIMT_INLINE int lane_with_rank(unsigned mask, unsigned rank) {
  for (int lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0 && rank-- == 0) return lane;
  }
  return static_cast<int>(lane_of_thread());
}

// The bits of these lanes, one beside the other.
KV_SIMT_INLINE unsigned packed(unsigned bits, unsigned mask) {
  unsigned result = 0;
  for (int lane = 0, rank = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) result |= (bits >> lane & 1) << rank++;
  }
  return result;
}

// Calls `shuffle` for a number, or for each 8 bytes of another value.
template <typename T, typename Shuffle>
KV_SIMT_INLINE T shuffle_words(T value, Shuffle shuffle) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(shuffle(value));
  } else {
    unsigned long long words[(sizeof(T) + 7) / 8] = {};
    __builtin_memcpy(words, static_cast<const void*>(&value), sizeof(T));
    for (unsigned long long& word : words) word = shuffle(word);
    __builtin_memcpy(static_cast<void*>(&value), words, sizeof(T));
    return value;
  }
}

}  // namespace kv::simt

#pragma once
// Shuffles, matches and reductions of a warp, for every value of at most 8 bytes.

#include <type_traits>

#include "simt/sync.h"

namespace kv::simt {

template <typename T>
KV_SIMT_INLINE T shuffle(WarpOp op, unsigned mask, T value, int argument, int width) {
  static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = warp_op(op, mask, bits, argument, width);
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

template <typename T>
KV_SIMT_INLINE T reduce(WarpOp op, unsigned mask, T value) {
  static_assert(sizeof(T) == 4, "int or unsigned");
  return static_cast<T>(
      warp_op(op, mask, static_cast<unsigned long long>(static_cast<long long>(value)), 0, 32));
}

}  // namespace kv::simt

// Each type that CUDA has is a function of its own: a smaller integer converts to int, and a struct
// is refused, as by nvcc.
#define KV_SIMT_SHUFFLE(T)                                                                         \
  KV_SIMT_INLINE T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {                 \
    return kv::simt::shuffle(kv::simt::WarpOp::kShuffle, mask, value, lane, width);                \
  }                                                                                                \
  KV_SIMT_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {        \
    return kv::simt::shuffle(kv::simt::WarpOp::kShuffleUp, mask, value, static_cast<int>(delta),   \
                             width);                                                               \
  }                                                                                                \
  KV_SIMT_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {      \
    return kv::simt::shuffle(kv::simt::WarpOp::kShuffleDown, mask, value, static_cast<int>(delta), \
                             width);                                                               \
  }                                                                                                \
  KV_SIMT_INLINE T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {        \
    return kv::simt::shuffle(kv::simt::WarpOp::kShuffleXor, mask, value, lane_mask, width);        \
  }

// __match_all_sync gives all lanes of the mask if they have the same value, else 0.
#define KV_SIMT_MATCH(T)                                                                         \
  KV_SIMT_INLINE unsigned __match_any_sync(unsigned mask, T value) {                             \
    return static_cast<unsigned>(                                                                \
        kv::simt::shuffle<unsigned long long>(kv::simt::WarpOp::kMatchAny, mask, value, 0, 32)); \
  }                                                                                              \
  KV_SIMT_INLINE unsigned __match_all_sync(unsigned mask, T value, int* predicate) {             \
    const bool is_same = __match_any_sync(mask, value) == mask;                                  \
    *predicate = is_same;                                                                        \
    return is_same ? mask : 0;                                                                   \
  }

#define KV_SIMT_OF_EACH_NUMBER(make)                                                               \
  make(int) make(unsigned) make(long) make(unsigned long) make(long long) make(unsigned long long) \
      make(float) make(double)
KV_SIMT_OF_EACH_NUMBER(KV_SIMT_SHUFFLE)
KV_SIMT_OF_EACH_NUMBER(KV_SIMT_MATCH)
#undef KV_SIMT_OF_EACH_NUMBER
#undef KV_SIMT_MATCH

// reduce.sync: all lanes of the mask combined.
#define KV_SIMT_REDUCE(name, T, op)                             \
  KV_SIMT_INLINE T name(unsigned mask, T value) {               \
    return kv::simt::reduce(kv::simt::WarpOp::op, mask, value); \
  }
KV_SIMT_REDUCE(__reduce_add_sync, int, kAdd)
KV_SIMT_REDUCE(__reduce_add_sync, unsigned, kAdd)
KV_SIMT_REDUCE(__reduce_min_sync, int, kMinSigned)
KV_SIMT_REDUCE(__reduce_min_sync, unsigned, kMin)
KV_SIMT_REDUCE(__reduce_max_sync, int, kMaxSigned)
KV_SIMT_REDUCE(__reduce_max_sync, unsigned, kMax)
KV_SIMT_REDUCE(__reduce_and_sync, unsigned, kAnd)
KV_SIMT_REDUCE(__reduce_or_sync, unsigned, kOr)
KV_SIMT_REDUCE(__reduce_xor_sync, unsigned, kXor)
#undef KV_SIMT_REDUCE

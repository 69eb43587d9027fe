#pragma once
// Bits of integers and floats, loads with a cache hint, and the end of a kernel.

#include <bit>
#include <type_traits>

#include "simt/qualifiers.h"

KV_SIMT_INLINE int __popc(unsigned x) {
  return __builtin_popcount(x);
}
KV_SIMT_INLINE int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
KV_SIMT_INLINE int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
KV_SIMT_INLINE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
KV_SIMT_INLINE int __ffs(int x) {
  return __builtin_ffs(x);
}
KV_SIMT_INLINE int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
// The place of the bit that is the offset-th of those set, from base on upwards, or downwards if
// the offset is negative; offset 0 asks for base itself. All bits if there is none.
KV_SIMT_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
  const bool is_up = offset >= 0;
  int left = offset == 0 ? 1 : is_up ? offset : -offset;
  for (unsigned i = base; i < 32; i += is_up ? 1u : ~0u) {
    if ((mask >> i & 1) != 0 && --left == 0) return i;
    if (offset == 0) break;
  }
  return ~0u;
}
KV_SIMT_INLINE unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= ((x >> i) & 1) << (31 - i);
  return reversed;
}

KV_SIMT_INLINE float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
KV_SIMT_INLINE int __float_as_int(float x) {
  return __builtin_bit_cast(int, x);
}
KV_SIMT_INLINE float __uint_as_float(unsigned x) {
  return __builtin_bit_cast(float, x);
}
KV_SIMT_INLINE unsigned __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned, x);
}

// A cache hint changes neither values nor sectors.
#define KV_SIMT_LOAD(name)                                                     \
  template <typename T>                                                        \
  requires(!std::is_same_v<T, bool>) KV_SIMT_INLINE T name(const T* address) { \
    return *address;                                                           \
  }
KV_SIMT_LOAD(__ldg)
KV_SIMT_LOAD(__ldcg)
KV_SIMT_LOAD(__ldca)
KV_SIMT_LOAD(__ldcs)
KV_SIMT_LOAD(__ldcv)
KV_SIMT_LOAD(__ldlu)
#undef KV_SIMT_LOAD
#define KV_SIMT_STORE(name)                              \
  template <typename T>                                  \
  KV_SIMT_INLINE void name(T* address, const T& value) { \
    *address = value;                                    \
  }
KV_SIMT_STORE(__stcg)
KV_SIMT_STORE(__stcs)
KV_SIMT_STORE(__stwb)
KV_SIMT_STORE(__stwt)
#undef KV_SIMT_STORE

namespace kv::simt {
[[noreturn]] void trap();
long long clock_ticks();
}  // namespace kv::simt
[[noreturn]] KV_SIMT_INLINE void __trap() {
  kv::simt::trap();
}
// The number of basic blocks of this thread so far: it grows, but it is not a time.
KV_SIMT_INLINE long long clock64() {
  return kv::simt::clock_ticks();
}
KV_SIMT_INLINE void __nanosleep(unsigned) {}

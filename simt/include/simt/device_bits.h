#pragma once
// Bits of integers and floats, loads with a cache hint, and the end of a kernel.

#include <algorithm>
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

// Four bytes or two halves of a word, calculated one by one.

namespace kv::simt {

template <typename Part, typename Operation>
KV_SIMT_INLINE unsigned for_each_part(unsigned a, unsigned b, Operation operation) {
  constexpr unsigned kBits = 8 * sizeof(Part), kMask = (1u << kBits) - 1;
  unsigned result = 0;
  for (unsigned shift = 0; shift < 32; shift += kBits) {
    const auto x = static_cast<Part>(a >> shift), y = static_cast<Part>(b >> shift);
    result |= (static_cast<unsigned>(operation(x, y)) & kMask) << shift;
  }
  return result;
}

}  // namespace kv::simt

#define KV_SIMT_PACKED(name, Part, expression)                                               \
  KV_SIMT_INLINE unsigned name(unsigned a, unsigned b) {                                     \
    return ::kv::simt::for_each_part<Part>(a, b, [](Part x, Part y) { return expression; }); \
  }
KV_SIMT_PACKED(__vadd4, unsigned char, x + y)
KV_SIMT_PACKED(__vadd2, unsigned short, x + y)
KV_SIMT_PACKED(__vsub4, unsigned char, x - y)
KV_SIMT_PACKED(__vsub2, unsigned short, x - y)
KV_SIMT_PACKED(__vmaxs4, signed char, std::max(x, y))
KV_SIMT_PACKED(__vmaxs2, short, std::max(x, y))
KV_SIMT_PACKED(__vmins4, signed char, std::min(x, y))
KV_SIMT_PACKED(__vmins2, short, std::min(x, y))
KV_SIMT_PACKED(__vmaxu4, unsigned char, std::max(x, y))
KV_SIMT_PACKED(__vmaxu2, unsigned short, std::max(x, y))
KV_SIMT_PACKED(__vminu4, unsigned char, std::min(x, y))
KV_SIMT_PACKED(__vminu2, unsigned short, std::min(x, y))
#undef KV_SIMT_PACKED

#pragma once
// Four bytes or two halves of a word, calculated one by one.

#include <algorithm>

#include "simt/inline.h"

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

#define KV_SIMT_PACKED(name, type4, type2, expression)                                          \
  KV_SIMT_INLINE unsigned name##4(unsigned a, unsigned b) {                                     \
    return ::kv::simt::for_each_part<type4>(a, b, [](type4 x, type4 y) { return expression; }); \
  }                                                                                             \
  KV_SIMT_INLINE unsigned name##2(unsigned a, unsigned b) {                                     \
    return ::kv::simt::for_each_part<type2>(a, b, [](type2 x, type2 y) { return expression; }); \
  }
KV_SIMT_PACKED(__vadd, unsigned char, unsigned short, x + y)
KV_SIMT_PACKED(__vsub, unsigned char, unsigned short, x - y)
KV_SIMT_PACKED(__vmaxs, signed char, short, std::max(x, y))
KV_SIMT_PACKED(__vmins, signed char, short, std::min(x, y))
KV_SIMT_PACKED(__vmaxu, unsigned char, unsigned short, std::max(x, y))
KV_SIMT_PACKED(__vminu, unsigned char, unsigned short, std::min(x, y))
#undef KV_SIMT_PACKED

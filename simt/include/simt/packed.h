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

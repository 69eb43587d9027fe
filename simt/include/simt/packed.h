#pragma once
// Four bytes or two halves of a word, calculated one by one.

#include <algorithm>
#include <limits>

#include "simt/qualifiers.h"

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

// The sum of what the operation gives for the parts.
template <typename Part, typename Operation>
KV_SIMT_INLINE unsigned sum_of_parts(unsigned a, unsigned b, Operation operation) {
  unsigned sum = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(Part))
    sum += static_cast<unsigned>(
        operation(static_cast<Part>(a >> shift), static_cast<Part>(b >> shift)));
  return sum;
}

template <typename Part>
KV_SIMT_INLINE int saturated(int value) {
  using Limits = std::numeric_limits<Part>;
  return std::clamp<int>(value, Limits::min(), Limits::max());
}
KV_SIMT_INLINE int distance(int x, int y) {
  return x < y ? y - x : x - y;
}

}  // namespace kv::simt

// A function of four bytes and one of two halves. In the expression, x and y are the parts, and
// Part is their type.
#define KV_SIMT_PACKED_IN(name, T, parts, expression)    \
  KV_SIMT_INLINE unsigned name(unsigned a, unsigned b) { \
    return ::kv::simt::parts<T>(a, b, [](int x, int y) { \
      using Part [[maybe_unused]] = T;                   \
      return (expression);                               \
    });                                                  \
  }
#define KV_SIMT_PACKED_BY(name, Bytes, Halves, parts, expression) \
  KV_SIMT_PACKED_IN(__v##name##4, Bytes, parts, expression)       \
  KV_SIMT_PACKED_IN(__v##name##2, Halves, parts, expression)
#define KV_SIMT_PACKED_SIGNED(name, expression) \
  KV_SIMT_PACKED_BY(name, signed char, short, for_each_part, expression)
#define KV_SIMT_PACKED_UNSIGNED(name, expression) \
  KV_SIMT_PACKED_BY(name, unsigned char, unsigned short, for_each_part, expression)

KV_SIMT_PACKED_UNSIGNED(add, x + y)
KV_SIMT_PACKED_UNSIGNED(sub, x - y)
KV_SIMT_PACKED_SIGNED(addss, ::kv::simt::saturated<Part>(x + y))
KV_SIMT_PACKED_SIGNED(subss, ::kv::simt::saturated<Part>(x - y))
KV_SIMT_PACKED_UNSIGNED(addus, ::kv::simt::saturated<Part>(x + y))
KV_SIMT_PACKED_UNSIGNED(subus, ::kv::simt::saturated<Part>(x - y))
KV_SIMT_PACKED_SIGNED(maxs, x < y ? y : x)
KV_SIMT_PACKED_SIGNED(mins, y < x ? y : x)
KV_SIMT_PACKED_UNSIGNED(maxu, x < y ? y : x)
KV_SIMT_PACKED_UNSIGNED(minu, y < x ? y : x)
// An average is rounded up, that of negative numbers down; the halved sum always down.
KV_SIMT_PACKED_SIGNED(avgs, (x + y + (x + y >= 0)) >> 1)
KV_SIMT_PACKED_UNSIGNED(avgu, (x + y + 1) >> 1)
KV_SIMT_PACKED_UNSIGNED(haddu, (x + y) >> 1)
KV_SIMT_PACKED_SIGNED(absdiffs, ::kv::simt::distance(x, y))
KV_SIMT_PACKED_UNSIGNED(absdiffu, ::kv::simt::distance(x, y))
KV_SIMT_PACKED_BY(sads, signed char, short, sum_of_parts, ::kv::simt::distance(x, y))
KV_SIMT_PACKED_BY(sadu, unsigned char, unsigned short, sum_of_parts, ::kv::simt::distance(x, y))

// A comparison: all bits of the part, or the number one.
#define KV_SIMT_PACKED_COMPARED(sign, name, comparison)       \
  KV_SIMT_PACKED_##sign(cmp##name, (comparison) ? 0xffff : 0) \
      KV_SIMT_PACKED_##sign(set##name, (comparison) ? 1 : 0)
KV_SIMT_PACKED_COMPARED(UNSIGNED, eq, x == y)
KV_SIMT_PACKED_COMPARED(UNSIGNED, ne, x != y)
KV_SIMT_PACKED_COMPARED(SIGNED, ges, x >= y)
KV_SIMT_PACKED_COMPARED(SIGNED, gts, x > y)
KV_SIMT_PACKED_COMPARED(SIGNED, les, x <= y)
KV_SIMT_PACKED_COMPARED(SIGNED, lts, x < y)
KV_SIMT_PACKED_COMPARED(UNSIGNED, geu, x >= y)
KV_SIMT_PACKED_COMPARED(UNSIGNED, gtu, x > y)
KV_SIMT_PACKED_COMPARED(UNSIGNED, leu, x <= y)
KV_SIMT_PACKED_COMPARED(UNSIGNED, ltu, x < y)

// Those of one word, by those of two.
#define KV_SIMT_PACKED_OF_ONE(name, other, a, b) \
  KV_SIMT_INLINE unsigned name(unsigned word) {  \
    return other(a, b);                          \
  }
KV_SIMT_PACKED_OF_ONE(__vneg4, __vsub4, 0, word)
KV_SIMT_PACKED_OF_ONE(__vneg2, __vsub2, 0, word)
KV_SIMT_PACKED_OF_ONE(__vnegss4, __vsubss4, 0, word)
KV_SIMT_PACKED_OF_ONE(__vnegss2, __vsubss2, 0, word)
KV_SIMT_PACKED_OF_ONE(__vabs4, __vabsdiffs4, word, 0)
KV_SIMT_PACKED_OF_ONE(__vabs2, __vabsdiffs2, word, 0)
KV_SIMT_PACKED_OF_ONE(__vabsss4, __vmaxs4, word, __vnegss4(word))
KV_SIMT_PACKED_OF_ONE(__vabsss2, __vmaxs2, word, __vnegss2(word))
#undef KV_SIMT_PACKED_OF_ONE
#undef KV_SIMT_PACKED_COMPARED
#undef KV_SIMT_PACKED_UNSIGNED
#undef KV_SIMT_PACKED_SIGNED
#undef KV_SIMT_PACKED_BY
#undef KV_SIMT_PACKED_IN

#pragma once
// bfloat16, the upper half of a float: the range of a float, 8 bits of precision, half the bytes.

#include <bit>
#include <cmath>
#include <cstdint>

namespace kv {

struct BFloat16 {
  std::uint16_t bits;
};

inline float widen(float number) {
  return number;
}
inline float widen(BFloat16 number) {
  return std::bit_cast<float>(std::uint32_t{number.bits} << 16);
}

// Rounds to the nearest number of type Stored; halfway between two, to the even one.
template <class Stored>
Stored narrow(float number);

template <>
inline float narrow<float>(float number) {
  return number;
}

template <>
inline BFloat16 narrow<BFloat16>(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  constexpr std::uint32_t kQuiet = 0x0040;  // else a NaN with upper half 0 becomes infinity
  if (std::isnan(number)) return {static_cast<std::uint16_t>(bits >> 16 | kQuiet)};
  const std::uint32_t is_odd = bits >> 16 & 1;
  return {static_cast<std::uint16_t>((bits + 0x7fff + is_odd) >> 16)};
}

}  // namespace kv

#pragma once
// Rounding to a 16-bit floating-point format, once and to the nearest, ties to even: what the GPU's
// cvt.rn does. A double holds every sum and product that is rounded here, or enough of it.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "simt/inline.h"

namespace kv::simt {

// half has 5 exponent bits and 10 mantissa bits, bfloat16 has 8 and 7.
template <int kExponentBits, int kMantissaBits>
KV_SIMT_INLINE std::uint16_t round_to_nearest_even(double value) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  constexpr std::uint16_t kNaN = 0x7fff;
  constexpr std::uint16_t kInfinity = ((1 << kExponentBits) - 1) << kMantissaBits;
  if (value != value) return kNaN;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 48) & 0x8000);
  const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  if (exponent > kBias) return sign | kInfinity;
  if (exponent < -kBias - kMantissaBits) return sign;  // below half of the least subnormal

  const std::uint64_t significand = (bits & ((1ull << 52) - 1)) | (1ull << 52);
  const int num_dropped = 52 - kMantissaBits + std::max(0, 1 - kBias - exponent);
  const std::uint64_t half = 1ull << (num_dropped - 1);
  const std::uint64_t dropped = significand & (2 * half - 1);
  std::uint64_t kept = significand >> num_dropped;
  if (dropped > half || (dropped == half && kept % 2 == 1)) ++kept;
  // A carry goes into the exponent, up to infinity, as rounding up should.
  const auto exponent_field = static_cast<std::uint64_t>(std::max(exponent + kBias - 1, 0));
  return static_cast<std::uint16_t>(sign | ((exponent_field << kMantissaBits) + kept));
}

// The sum, with its last bit set if anything was lost. Rounded once more, to far fewer bits, it
// gives what the exact sum would: a lost bit can neither make nor break a tie.
KV_SIMT_INLINE double add_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_kept = sum - a;
  const double lost = (a - (sum - b_kept)) + (b - b_kept);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if (!(lost != 0) || sum - sum != 0 || bits % 2 == 1) return sum;
  const bool is_too_far_from_zero = (lost < 0) == (sum > 0);
  return std::bit_cast<double>(is_too_far_from_zero ? bits - 1 : bits + 1);
}

}  // namespace kv::simt

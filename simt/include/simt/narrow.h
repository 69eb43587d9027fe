#pragma once
// 16-bit floats: their rounding, and what __half and __nv_bfloat16 have in common.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "simt/qualifiers.h"

namespace kv::simt {

// Rounding to a 16-bit floating-point format, once and to the nearest, ties to even: what the GPU's
// cvt.rn does. A double holds every sum and product that is rounded here, or enough of it.

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

// What __half and __nv_bfloat16 have in common, under NVIDIA's names. Computing in float and then
// rounding gives + - * / of half as if rounded once: 24 bits are enough for 11. A fused
// multiply-add needs more care.

// Base of a 16-bit float T, which converts from and to float. Why friends: with one argument a T,
// the other converts, as it does with NVIDIA's functions; a template would refuse it.
template <typename T>
struct Narrow {
  friend KV_SIMT_INLINE T __hadd(T a, T b) { return T(float(a) + float(b)); }
  friend KV_SIMT_INLINE T __hsub(T a, T b) { return T(float(a) - float(b)); }
  friend KV_SIMT_INLINE T __hmul(T a, T b) { return T(float(a) * float(b)); }
  friend KV_SIMT_INLINE T __hdiv(T a, T b) { return T(float(a) / float(b)); }
  friend KV_SIMT_INLINE T __hfma(T a, T b, T c) {
    const double product = double(float(a)) * double(float(b));  // 22 bits: exact
    return T(add_to_odd(product, double(float(c))));
  }
  friend KV_SIMT_INLINE T __hneg(T a) { return T(-float(a)); }
  friend KV_SIMT_INLINE T __habs(T a) { return T(std::fabs(float(a))); }

  friend KV_SIMT_INLINE bool __hisnan(T a) { return float(a) != float(a); }
  friend KV_SIMT_INLINE bool __heq(T a, T b) { return float(a) == float(b); }
  friend KV_SIMT_INLINE bool __hne(T a, T b) {
    return float(a) < float(b) || float(a) > float(b);  // false for NaN, unlike !=
  }
  friend KV_SIMT_INLINE bool __hlt(T a, T b) { return float(a) < float(b); }
  friend KV_SIMT_INLINE bool __hle(T a, T b) { return float(a) <= float(b); }
  friend KV_SIMT_INLINE bool __hgt(T a, T b) { return float(a) > float(b); }
  friend KV_SIMT_INLINE bool __hge(T a, T b) { return float(a) >= float(b); }
  // If one of the two is NaN, the other one is the result; -0 is less than +0.
  friend KV_SIMT_INLINE T __hmax(T a, T b) {
    if (__hisnan(a)) return T(float(b));
    if (__hisnan(b) || __hgt(a, b)) return a;
    return __heq(a, b) && std::signbit(float(b)) ? a : b;
  }
  friend KV_SIMT_INLINE T __hmin(T a, T b) {
    if (__hisnan(a)) return T(float(b));
    if (__hisnan(b) || __hlt(a, b)) return a;
    return __heq(a, b) && std::signbit(float(a)) ? a : b;
  }

#define KV_SIMT_NARROW_FUNCTION(name, expression) \
  friend KV_SIMT_INLINE T name(T a) {             \
    const float x = a;                            \
    return T(expression);                         \
  }
  KV_SIMT_NARROW_FUNCTION(hexp, std::exp(x))
  KV_SIMT_NARROW_FUNCTION(hexp2, std::exp2(x))
  KV_SIMT_NARROW_FUNCTION(hlog, std::log(x))
  KV_SIMT_NARROW_FUNCTION(hlog2, std::log2(x))
  KV_SIMT_NARROW_FUNCTION(hlog10, std::log10(x))
  KV_SIMT_NARROW_FUNCTION(hsin, std::sin(x))
  KV_SIMT_NARROW_FUNCTION(hcos, std::cos(x))
  KV_SIMT_NARROW_FUNCTION(hsqrt, std::sqrt(x))
  KV_SIMT_NARROW_FUNCTION(hrsqrt, 1.0 / std::sqrt(static_cast<double>(x)))
  KV_SIMT_NARROW_FUNCTION(hrcp, 1.0f / x)
  KV_SIMT_NARROW_FUNCTION(hfloor, std::floor(x))
  KV_SIMT_NARROW_FUNCTION(hceil, std::ceil(x))
  KV_SIMT_NARROW_FUNCTION(htrunc, std::trunc(x))
  KV_SIMT_NARROW_FUNCTION(hrint, std::rint(x))
#undef KV_SIMT_NARROW_FUNCTION

  friend KV_SIMT_INLINE T operator+(const T& a, const T& b) {
    return __hadd(a, b);
  }
  friend KV_SIMT_INLINE T operator-(const T& a, const T& b) {
    return __hsub(a, b);
  }
  friend KV_SIMT_INLINE T operator*(const T& a, const T& b) {
    return __hmul(a, b);
  }
  friend KV_SIMT_INLINE T operator/(const T& a, const T& b) {
    return __hdiv(a, b);
  }
  friend KV_SIMT_INLINE T operator-(const T& a) {
    return __hneg(a);
  }
  friend KV_SIMT_INLINE T& operator+=(T& a, const T& b) {
    return a = __hadd(a, b);
  }
  friend KV_SIMT_INLINE T& operator-=(T& a, const T& b) {
    return a = __hsub(a, b);
  }
  friend KV_SIMT_INLINE T& operator*=(T& a, const T& b) {
    return a = __hmul(a, b);
  }
  friend KV_SIMT_INLINE T& operator/=(T& a, const T& b) {
    return a = __hdiv(a, b);
  }
  friend KV_SIMT_INLINE bool operator==(const T& a, const T& b) {
    return __heq(a, b);
  }
  friend KV_SIMT_INLINE bool operator!=(const T& a, const T& b) {
    return !__heq(a, b);
  }
  friend KV_SIMT_INLINE bool operator<(const T& a, const T& b) {
    return __hlt(a, b);
  }
  friend KV_SIMT_INLINE bool operator<=(const T& a, const T& b) {
    return __hle(a, b);
  }
  friend KV_SIMT_INLINE bool operator>(const T& a, const T& b) {
    return __hgt(a, b);
  }
  friend KV_SIMT_INLINE bool operator>=(const T& a, const T& b) {
    return __hge(a, b);
  }
};

// What __half2 and __nv_bfloat162 have in common: two 16-bit floats in one word.

// Moves a pair as the GPU does, in one access of four bytes. Why the empty asm: without it an
// optimizer may split the copy into two accesses of two bytes, and the profile would count both.
template <typename Pair>
KV_SIMT_INLINE void copy_word(Pair* to, const Pair* from) {
  std::uint32_t word = *reinterpret_cast<const std::uint32_t __attribute__((may_alias))*>(from);
  __asm__("" : "+r"(word));
  *reinterpret_cast<std::uint32_t __attribute__((may_alias))*>(to) = word;
}

// Base of a pair P with members x (low) and y (high).
template <typename P>
struct NarrowPair {
  friend KV_SIMT_INLINE P __hadd2(P a, P b) { return {__hadd(a.x, b.x), __hadd(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __hsub2(P a, P b) { return {__hsub(a.x, b.x), __hsub(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __hmul2(P a, P b) { return {__hmul(a.x, b.x), __hmul(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __h2div(P a, P b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __hfma2(P a, P b, P c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
  }
  friend KV_SIMT_INLINE P __hmax2(P a, P b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __hmin2(P a, P b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __hneg2(P a) { return {__hneg(a.x), __hneg(a.y)}; }
  friend KV_SIMT_INLINE P __habs2(P a) { return {__habs(a.x), __habs(a.y)}; }
  friend KV_SIMT_INLINE float __low2float(P a) { return float(a.x); }
  friend KV_SIMT_INLINE float __high2float(P a) { return float(a.y); }

  // One or zero for each number; with "b", whether it is true of both.
  friend KV_SIMT_INLINE P __heq2(P a, P b) { return {__heq(a.x, b.x), __heq(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __hne2(P a, P b) { return {__hne(a.x, b.x), __hne(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __hlt2(P a, P b) { return {__hlt(a.x, b.x), __hlt(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __hle2(P a, P b) { return {__hle(a.x, b.x), __hle(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __hgt2(P a, P b) { return {__hgt(a.x, b.x), __hgt(a.y, b.y)}; }
  friend KV_SIMT_INLINE P __hge2(P a, P b) { return {__hge(a.x, b.x), __hge(a.y, b.y)}; }
  friend KV_SIMT_INLINE bool __hbeq2(P a, P b) { return __heq(a.x, b.x) && __heq(a.y, b.y); }
  friend KV_SIMT_INLINE bool __hbne2(P a, P b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
  friend KV_SIMT_INLINE bool __hblt2(P a, P b) { return __hlt(a.x, b.x) && __hlt(a.y, b.y); }
  friend KV_SIMT_INLINE bool __hble2(P a, P b) { return __hle(a.x, b.x) && __hle(a.y, b.y); }
  friend KV_SIMT_INLINE bool __hbgt2(P a, P b) { return __hgt(a.x, b.x) && __hgt(a.y, b.y); }
  friend KV_SIMT_INLINE bool __hbge2(P a, P b) { return __hge(a.x, b.x) && __hge(a.y, b.y); }

  friend KV_SIMT_INLINE P h2exp(P a) { return {hexp(a.x), hexp(a.y)}; }
  friend KV_SIMT_INLINE P h2exp2(P a) { return {hexp2(a.x), hexp2(a.y)}; }
  friend KV_SIMT_INLINE P h2log(P a) { return {hlog(a.x), hlog(a.y)}; }
  friend KV_SIMT_INLINE P h2log2(P a) { return {hlog2(a.x), hlog2(a.y)}; }
  friend KV_SIMT_INLINE P h2sin(P a) { return {hsin(a.x), hsin(a.y)}; }
  friend KV_SIMT_INLINE P h2cos(P a) { return {hcos(a.x), hcos(a.y)}; }
  friend KV_SIMT_INLINE P h2sqrt(P a) { return {hsqrt(a.x), hsqrt(a.y)}; }
  friend KV_SIMT_INLINE P h2rsqrt(P a) { return {hrsqrt(a.x), hrsqrt(a.y)}; }
  friend KV_SIMT_INLINE P h2rcp(P a) { return {hrcp(a.x), hrcp(a.y)}; }

  friend KV_SIMT_INLINE P operator+(const P& a, const P& b) { return __hadd2(a, b); }
  friend KV_SIMT_INLINE P operator-(const P& a, const P& b) { return __hsub2(a, b); }
  friend KV_SIMT_INLINE P operator*(const P& a, const P& b) { return __hmul2(a, b); }
  friend KV_SIMT_INLINE P operator/(const P& a, const P& b) { return __h2div(a, b); }
  friend KV_SIMT_INLINE P operator-(const P& a) { return __hneg2(a); }
  friend KV_SIMT_INLINE P& operator+=(P& a, const P& b) { return a = __hadd2(a, b); }
  friend KV_SIMT_INLINE P& operator*=(P& a, const P& b) { return a = __hmul2(a, b); }
  friend KV_SIMT_INLINE bool operator==(const P& a, const P& b) {
    return __heq(a.x, b.x) && __heq(a.y, b.y);
  }
};

}  // namespace kv::simt

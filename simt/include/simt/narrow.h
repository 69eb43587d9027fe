#pragma once
// What __half and __nv_bfloat16 have in common, under NVIDIA's names. Computing in float and then
// rounding gives + - * / of half as if rounded once: 24 bits are enough for 11. A fused
// multiply-add needs more care.

#include <cmath>

#include "simt/inline.h"
#include "simt/rounding.h"

namespace kv::simt {

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

}  // namespace kv::simt

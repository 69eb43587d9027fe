#pragma once
// Arithmetic that rounds toward zero, up or down: __fadd_rz, __dmul_ru. Each function rounds to the
// nearest number, finds on which side of it the exact result is, and takes a step if it is the
// wrong one. Why not fesetround: an optimizer moves calculations across it.

#include <cmath>
#include <limits>

#include "simt/qualifiers.h"

namespace kv::simt {

enum class Rounding { kZero, kUp, kDown };

// `side`: of the exact result minus `nearest`, with its sign.
template <typename T>
KV_SIMT_INLINE T rounded(T nearest, double side, Rounding rounding) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (std::isnan(nearest) || std::isnan(side) || side == 0) return nearest;
  const bool is_negative = nearest == 0 ? side < 0 : nearest < 0;
  const bool is_down = rounding == Rounding::kDown || (rounding == Rounding::kZero && !is_negative);
  if (is_down) return side < 0 ? std::nextafter(nearest, -kInfinity) : nearest;
  return side > 0 ? std::nextafter(nearest, kInfinity) : nearest;
}

// What a + b lacks to be exact, if it is finite: an infinity that is not exact is too far from
// zero.
template <typename T>
KV_SIMT_INLINE double error_of_sum(T a, T b) {
  const T sum = a + b;
  if (std::isinf(sum)) return std::isinf(a) || std::isinf(b) ? 0 : -sum;
  const T part = sum - a;
  return static_cast<double>((a - (sum - part)) + (b - part));
}

template <typename T>
KV_SIMT_INLINE T add_rounded(T a, T b, Rounding rounding) {
  const T sum = a + b;
  // Opposite numbers have the sum zero; rounded down it is negative.
  const bool is_zero = sum == 0 && (a != 0 || std::signbit(a) != std::signbit(b));
  if (is_zero && rounding == Rounding::kDown) return -T{0};
  return rounded(sum, error_of_sum(a, b), rounding);
}

template <typename T>
KV_SIMT_INLINE bool is_finite_pair(T a, T b) {
  return std::isfinite(a) && std::isfinite(b);
}

// The sign of x * y - z, for a product and a quotient whose errors may be smaller than any number.
template <typename T>
KV_SIMT_INLINE double sign_of(T x, T y, T z) {
  int ex = 0, ey = 0, ez = 0;
  const T fx = std::frexp(x, &ex), fy = std::frexp(y, &ey), fz = std::frexp(z, &ez);
  if (z == 0 || x == 0 || y == 0) return static_cast<double>(fx * fy - fz);
  const int shift = ez - ex - ey;
  return static_cast<double>(std::fma(fx, fy, -std::ldexp(fz, shift)));
}

template <typename T>
KV_SIMT_INLINE T multiply_rounded(T a, T b, Rounding rounding) {
  const T product = a * b;
  if (!is_finite_pair(a, b) || a == 0 || b == 0) return product;
  return rounded(product, std::isinf(product) ? -product : sign_of(a, b, product), rounding);
}

template <typename T>
KV_SIMT_INLINE T divide_rounded(T a, T b, Rounding rounding) {
  const T quotient = a / b;
  if (!is_finite_pair(a, b) || a == 0 || b == 0) return quotient;
  if (std::isinf(quotient)) return rounded(quotient, -quotient, rounding);
  const double product_is_more = sign_of(quotient, b, a);
  return rounded(quotient, b > 0 ? -product_is_more : product_is_more, rounding);
}

template <typename T>
KV_SIMT_INLINE T root_rounded(T x, Rounding rounding) {
  const T root = std::sqrt(x);
  return !(x > 0) || std::isinf(x) ? root : rounded(root, -sign_of(root, root, x), rounding);
}

// A product of two floats is exact as a double.
KV_SIMT_INLINE float fma_rounded(float a, float b, float c, Rounding rounding) {
  const float nearest = std::fma(a, b, c);
  const double product = static_cast<double>(a) * b, sum = product + c;
  if (!std::isfinite(sum)) return nearest;
  const double side = std::isinf(nearest)
                          ? -static_cast<double>(nearest)
                          : (sum - nearest) + error_of_sum(product, static_cast<double>(c));
  const bool is_zero = nearest == 0 && side == 0 && std::signbit(product) != std::signbit(c);
  return is_zero && rounding == Rounding::kDown ? -0.0f : rounded(nearest, side, rounding);
}

}  // namespace kv::simt

// Those of a type, with the letter of its functions.
#define KV_SIMT_ROUNDED_OF(T, letter, ending, rounding)   \
  KV_SIMT_INLINE T __##letter##add_##ending(T a, T b) {   \
    return ::kv::simt::add_rounded(a, b, rounding);       \
  }                                                       \
  KV_SIMT_INLINE T __##letter##sub_##ending(T a, T b) {   \
    return ::kv::simt::add_rounded(a, -b, rounding);      \
  }                                                       \
  KV_SIMT_INLINE T __##letter##mul_##ending(T a, T b) {   \
    return ::kv::simt::multiply_rounded(a, b, rounding);  \
  }                                                       \
  KV_SIMT_INLINE T __##letter##div_##ending(T a, T b) {   \
    return ::kv::simt::divide_rounded(a, b, rounding);    \
  }                                                       \
  KV_SIMT_INLINE T __##letter##rcp_##ending(T x) {        \
    return ::kv::simt::divide_rounded(T{1}, x, rounding); \
  }                                                       \
  KV_SIMT_INLINE T __##letter##sqrt_##ending(T x) {       \
    return ::kv::simt::root_rounded(x, rounding);         \
  }
#define KV_SIMT_ROUNDED(ending, rounding)                           \
  KV_SIMT_ROUNDED_OF(float, f, ending, rounding)                    \
  KV_SIMT_ROUNDED_OF(double, d, ending, rounding)                   \
  KV_SIMT_INLINE float __fmaf_##ending(float a, float b, float c) { \
    return ::kv::simt::fma_rounded(a, b, c, rounding);              \
  }
KV_SIMT_ROUNDED(rz, ::kv::simt::Rounding::kZero)
KV_SIMT_ROUNDED(ru, ::kv::simt::Rounding::kUp)
KV_SIMT_ROUNDED(rd, ::kv::simt::Rounding::kDown)
#undef KV_SIMT_ROUNDED
#undef KV_SIMT_ROUNDED_OF

KV_SIMT_INLINE double __drcp_rn(double x) {
  return 1.0 / x;
}
KV_SIMT_INLINE double __dsqrt_rn(double x) {
  return std::sqrt(x);
}

#pragma once
// Floats of eight bits: e4m3 and e5m2, with the toolkit's bits. What is too large becomes the
// largest finite number.

#include <cmath>
#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace kv::simt {

// The absolute value of a code without its sign.
template <int kExponentBits, int kMantissaBits>
KV_SIMT_INLINE double magnitude_of(int code) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  const int exponent = code >> kMantissaBits;
  const int mantissa = code & ((1 << kMantissaBits) - 1);
  if (exponent == 0) return std::ldexp(mantissa, 1 - kBias - kMantissaBits);
  return std::ldexp(mantissa + (1 << kMantissaBits), exponent - kBias - kMantissaBits);
}

// The nearest code; of two equally near ones, the even one.
template <int kExponentBits, int kMantissaBits>
KV_SIMT_INLINE unsigned char narrowest(double value, int largest) {
  if (value != value) return 0x7f;
  const int sign = std::signbit(value) ? 0x80 : 0;
  const double size = std::fabs(value);
  int below = 0, above = largest + 1;  // the codes are in the order of their values
  while (above - below > 1) {
    const int middle = (below + above) / 2;
    (magnitude_of<kExponentBits, kMantissaBits>(middle) <= size ? below : above) = middle;
  }
  if (below == largest) return static_cast<unsigned char>(sign | largest);
  const double to_below = size - magnitude_of<kExponentBits, kMantissaBits>(below);
  const double to_above = magnitude_of<kExponentBits, kMantissaBits>(below + 1) - size;
  const bool is_up = to_above < to_below || (to_above == to_below && below % 2 == 1);
  return static_cast<unsigned char>(sign | (is_up ? below + 1 : below));
}

template <int kExponentBits, int kMantissaBits, int kLargest, int kInfinity>
struct Float8 {
  __nv_fp8_storage_t __x;

  Float8() = default;
  template <typename Number>
  requires std::is_arithmetic_v<Number> KV_SIMT_INLINE explicit Float8(Number value)
      : __x(narrowest<kExponentBits, kMantissaBits>(static_cast<double>(value), kLargest)) {}
  KV_SIMT_INLINE explicit Float8(__half value) : Float8(float(value)) {}
  KV_SIMT_INLINE explicit Float8(__nv_bfloat16 value) : Float8(float(value)) {}

  KV_SIMT_INLINE explicit operator float() const {
    const int code = __x & 0x7f;
    const double size = code == kInfinity ? INFINITY
                        : code > kLargest ? NAN
                                          : magnitude_of<kExponentBits, kMantissaBits>(code);
    return static_cast<float>((__x & 0x80) != 0 ? -size : size);
  }
  KV_SIMT_INLINE explicit operator double() const { return float(*this); }
  KV_SIMT_INLINE explicit operator __half() const { return __half(float(*this)); }
  KV_SIMT_INLINE explicit operator __nv_bfloat16() const { return __nv_bfloat16(float(*this)); }
};

// Two and four of them in one word, the first in its lowest bits.
template <typename Value>
KV_SIMT_INLINE unsigned code_at(float value, int place) {
  return unsigned{Value(value).__x} << 8 * place;
}
template <typename Value>
KV_SIMT_INLINE float value_at(unsigned codes, int place) {
  Value value;
  value.__x = static_cast<__nv_fp8_storage_t>(codes >> 8 * place);
  return float(value);
}

template <typename Value>
struct Float8x2 {
  __nv_fp8x2_storage_t __x;

  Float8x2() = default;
  KV_SIMT_INLINE explicit Float8x2(float2 pair)
      : __x(static_cast<__nv_fp8x2_storage_t>(code_at<Value>(pair.x, 0) |
                                              code_at<Value>(pair.y, 1))) {}
  KV_SIMT_INLINE explicit Float8x2(__half2 pair) : Float8x2(__half22float2(pair)) {}
  KV_SIMT_INLINE explicit Float8x2(__nv_bfloat162 pair) : Float8x2(__bfloat1622float2(pair)) {}

  KV_SIMT_INLINE explicit operator float2() const {
    return make_float2(value_at<Value>(__x, 0), value_at<Value>(__x, 1));
  }
  KV_SIMT_INLINE explicit operator __half2() const { return __float22half2_rn(float2(*this)); }
};

template <typename Value>
struct Float8x4 {
  __nv_fp8x4_storage_t __x;

  Float8x4() = default;
  KV_SIMT_INLINE explicit Float8x4(float4 four)
      : __x(code_at<Value>(four.x, 0) | code_at<Value>(four.y, 1) | code_at<Value>(four.z, 2) |
            code_at<Value>(four.w, 3)) {}
  KV_SIMT_INLINE Float8x4(__half2 low, __half2 high)
      : Float8x4(make_float4(low.x, low.y, high.x, high.y)) {}
  KV_SIMT_INLINE Float8x4(__nv_bfloat162 low, __nv_bfloat162 high)
      : Float8x4(make_float4(low.x, low.y, high.x, high.y)) {}

  KV_SIMT_INLINE explicit operator float4() const {
    return make_float4(value_at<Value>(__x, 0), value_at<Value>(__x, 1), value_at<Value>(__x, 2),
                       value_at<Value>(__x, 3));
  }
};

}  // namespace kv::simt

using __nv_fp8_e4m3 = kv::simt::Float8<4, 3, 0x7e, 0x80>;  // no code is infinity
using __nv_fp8_e5m2 = kv::simt::Float8<5, 2, 0x7b, 0x7c>;
using __nv_fp8x2_e4m3 = kv::simt::Float8x2<__nv_fp8_e4m3>;
using __nv_fp8x2_e5m2 = kv::simt::Float8x2<__nv_fp8_e5m2>;
using __nv_fp8x4_e4m3 = kv::simt::Float8x4<__nv_fp8_e4m3>;
using __nv_fp8x4_e5m2 = kv::simt::Float8x4<__nv_fp8_e5m2>;

KV_SIMT_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value,
                                                        __nv_saturation_t,
                                                        __nv_fp8_interpretation_t format) {
  return format == __NV_E4M3 ? __nv_fp8_e4m3(value).__x : __nv_fp8_e5m2(value).__x;
}

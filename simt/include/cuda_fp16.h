#pragma once
// NVIDIA's half precision on the host: 1 sign, 5 exponent, 10 mantissa bits. The part of the
// toolkit's cuda_fp16.h that kernels of this kit and of textbooks use, with the same bits.

#include <type_traits>

#include "cuda_runtime.h"
#include "simt/intrinsics.h"
#include "simt/narrow.h"

struct __nv_bfloat16;

struct alignas(2) __half : kv::simt::Narrow<__half> {
  __half() = default;
  template <typename Number>
  requires std::is_arithmetic_v<Number> KV_SIMT_INLINE __half(Number value)
      : bits_(kv::simt::round_to_nearest_even<5, 10>(static_cast<double>(value))) {}
  explicit __half(__nv_bfloat16 value);  // in cuda_bf16.h
  KV_SIMT_INLINE operator float() const {
    const unsigned sign = (bits_ & 0x8000u) << 16;
    const unsigned magnitude = bits_ & 0x7fffu;
    if (magnitude > 0x7c00) return std::bit_cast<float>(0x7fffffffu);
    if (magnitude == 0x7c00) return std::bit_cast<float>(sign | 0x7f800000u);
    // Read as a float, it is too small by the difference of the two biases.
    const float value = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    return std::bit_cast<float>(std::bit_cast<unsigned>(value) | sign);
  }

 private:
  unsigned short bits_;
  friend unsigned short __half_as_ushort(__half a);
  friend __half __ushort_as_half(unsigned short bits);
};
using half = __half;

KV_SIMT_INLINE unsigned short __half_as_ushort(__half a) {
  return a.bits_;
}
KV_SIMT_INLINE __half __ushort_as_half(unsigned short bits) {
  __half a;
  a.bits_ = bits;
  return a;
}
KV_SIMT_INLINE float __half2float(__half a) {
  return a;
}
KV_SIMT_INLINE __half __float2half(float a) {
  return a;
}
KV_SIMT_INLINE __half __float2half_rn(float a) {
  return a;
}
KV_SIMT_INLINE __half __double2half(double a) {
  return a;
}

KV_SIMT_INLINE int __half2int_rn(__half a) {
  return __float2int_rn(a);
}
KV_SIMT_INLINE int __half2int_rz(__half a) {
  return __float2int_rz(a);
}
KV_SIMT_INLINE __half __int2half_rn(int a) {
  return a;
}
KV_SIMT_INLINE __half __uint2half_rn(unsigned a) {
  return a;
}

struct alignas(4) __half2 : kv::simt::NarrowPair<__half2> {
  __half x, y;

  __half2() = default;
  KV_SIMT_INLINE __half2(const __half& low, const __half& high) : x(low), y(high) {}
  KV_SIMT_INLINE __half2(const __half2& other) { kv::simt::copy_word(this, &other); }
  KV_SIMT_INLINE __half2& operator=(const __half2& other) {
    kv::simt::copy_word(this, &other);
    return *this;
  }
};
using half2 = __half2;

KV_SIMT_INLINE __half2 make_half2(__half low, __half high) {
  return {low, high};
}
KV_SIMT_INLINE __half2 __halves2half2(__half low, __half high) {
  return {low, high};
}
KV_SIMT_INLINE __half2 __half2half2(__half both) {
  return {both, both};
}
KV_SIMT_INLINE __half2 __float2half2_rn(float both) {
  return {both, both};
}
KV_SIMT_INLINE __half2 __floats2half2_rn(float low, float high) {
  return {low, high};
}
KV_SIMT_INLINE __half2 __float22half2_rn(float2 pair) {
  return {pair.x, pair.y};
}
KV_SIMT_INLINE float2 __half22float2(__half2 pair) {
  return make_float2(pair.x, pair.y);
}
KV_SIMT_INLINE __half __low2half(__half2 pair) {
  return pair.x;
}
KV_SIMT_INLINE __half __high2half(__half2 pair) {
  return pair.y;
}

#ifdef __CUDACC__
#include "simt/atomics.h"
#include "simt/shuffle.h"
KV_SIMT_ATOMIC(__half, atomicAdd, old + value)
KV_SIMT_ATOMIC(__half2, atomicAdd, old + value)
KV_SIMT_SHUFFLE(__half)
// CUDA has none of these, and a conversion to float must not stand for them.
unsigned __match_any_sync(unsigned mask, __half value) = delete;
__half min(__half a, __half b) = delete;
__half max(__half a, __half b) = delete;
KV_SIMT_SHUFFLE(__half2)
#endif

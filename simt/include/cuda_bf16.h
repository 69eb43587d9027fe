#pragma once
// Google's bfloat16 on the host: the upper half of a float. The part of the toolkit's cuda_bf16.h
// that kernels of this kit and of textbooks use, with the same bits.

#include "cuda_fp16.h"

struct alignas(2) __nv_bfloat16 : kv::simt::Narrow<__nv_bfloat16> {
  __nv_bfloat16() = default;
  template <typename Number>
  requires std::is_arithmetic_v<Number> KV_SIMT_INLINE __nv_bfloat16(Number value)
      : bits_(kv::simt::round_to_nearest_even<8, 7>(static_cast<double>(value))) {}
  explicit KV_SIMT_INLINE __nv_bfloat16(__half value) : __nv_bfloat16(float(value)) {}
  KV_SIMT_INLINE operator float() const {
    return std::bit_cast<float>(static_cast<unsigned>(bits_) << 16);
  }

 private:
  unsigned short bits_;
  friend unsigned short __bfloat16_as_ushort(__nv_bfloat16 a);
  friend __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits);
};
using nv_bfloat16 = __nv_bfloat16;

KV_SIMT_INLINE __half::__half(__nv_bfloat16 value) : __half(float(value)) {}

KV_SIMT_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) {
  return a.bits_;
}
KV_SIMT_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  __nv_bfloat16 a;
  a.bits_ = bits;
  return a;
}
KV_SIMT_INLINE float __bfloat162float(__nv_bfloat16 a) {
  return a;
}
KV_SIMT_INLINE __nv_bfloat16 __float2bfloat16(float a) {
  return a;
}
KV_SIMT_INLINE __nv_bfloat16 __float2bfloat16_rn(float a) {
  return a;
}
KV_SIMT_INLINE __nv_bfloat16 __double2bfloat16(double a) {
  return a;
}

struct alignas(4) __nv_bfloat162 : kv::simt::NarrowPair<__nv_bfloat162> {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  KV_SIMT_INLINE __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high)
      : x(low), y(high) {}
  KV_SIMT_INLINE __nv_bfloat162(const __nv_bfloat162& other) { kv::simt::copy_word(this, &other); }
  KV_SIMT_INLINE __nv_bfloat162& operator=(const __nv_bfloat162& other) {
    kv::simt::copy_word(this, &other);
    return *this;
  }
};
using nv_bfloat162 = __nv_bfloat162;

KV_SIMT_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return {low, high};
}
KV_SIMT_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return {low, high};
}
KV_SIMT_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 both) {
  return {both, both};
}
KV_SIMT_INLINE __nv_bfloat162 __float2bfloat162_rn(float both) {
  return {both, both};
}
KV_SIMT_INLINE __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return {low, high};
}
KV_SIMT_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 pair) {
  return {pair.x, pair.y};
}
KV_SIMT_INLINE float2 __bfloat1622float2(__nv_bfloat162 pair) {
  return make_float2(pair.x, pair.y);
}
KV_SIMT_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 pair) {
  return pair.x;
}
KV_SIMT_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 pair) {
  return pair.y;
}

#ifdef __CUDACC__
#include "simt/atomics.h"
#include "simt/shuffle.h"
KV_SIMT_ATOMIC(__nv_bfloat16, atomicAdd, old + value)
KV_SIMT_ATOMIC(__nv_bfloat162, atomicAdd, old + value)
KV_SIMT_SHUFFLE(__nv_bfloat16)
// CUDA has none of these, and a conversion to float must not stand for them.
unsigned __match_any_sync(unsigned mask, __nv_bfloat16 value) = delete;
__nv_bfloat16 min(__nv_bfloat16 a, __nv_bfloat16 b) = delete;
__nv_bfloat16 max(__nv_bfloat16 a, __nv_bfloat16 b) = delete;
KV_SIMT_SHUFFLE(__nv_bfloat162)
#endif

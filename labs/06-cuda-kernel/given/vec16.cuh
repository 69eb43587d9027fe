#pragma once
// Sixteen bytes at once, the widest access that a lane can make. A pointer to them has to be a
// multiple of 16.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstring>

namespace kv {

template <class Scalar>
constexpr int kVec = 16 / sizeof(Scalar);  // numbers in 16 bytes: 4 or 8

__device__ inline float to_float(float value) {
  return value;
}
__device__ inline float to_float(__half value) {
  return __half2float(value);
}
__device__ inline float to_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

template <class Scalar>
__device__ inline Scalar from_float(float value);
template <>
__device__ inline float from_float<float>(float value) {
  return value;
}
template <>
__device__ inline __half from_float<__half>(float value) {
  return __float2half(value);
}
template <>
__device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16(value);
}

// One load of 16 bytes, as they are: 4 registers.
template <class Scalar>
__device__ inline uint4 load_packed(const Scalar* from) {
  return *reinterpret_cast<const uint4*>(from);
}

// Widens them to float: 4 or 8 registers.
template <class Scalar>
__device__ inline void widen(float (&to)[kVec<Scalar>], const uint4& packed) {
  Scalar values[kVec<Scalar>];
  memcpy(values, &packed, sizeof packed);
  for (int i = 0; i < kVec<Scalar>; ++i) to[i] = to_float(values[i]);
}

// Both.
template <class Scalar>
__device__ inline void load_vec(float (&to)[kVec<Scalar>], const Scalar* from) {
  widen<Scalar>(to, load_packed(from));
}

// 16 bytes at a time.
template <int kDims>
__device__ inline void store_vec(float* to, const float (&values)[kDims]) {
  for (int i = 0; i < kDims; i += 4) {
    *reinterpret_cast<float4*>(to + i) =
        make_float4(values[i], values[i + 1], values[i + 2], values[i + 3]);
  }
}

// One load and one store of 16 bytes.
template <class Scalar>
__device__ inline void copy_vec(Scalar* to, const Scalar* from) {
  *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
}

}  // namespace kv

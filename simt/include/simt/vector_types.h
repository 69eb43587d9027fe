#pragma once
// float4, uint2 and the like. A vector of 2 or 4 is read and written in one access, as the hardware
// does it: a host optimizer would copy each member, and the profile would show several accesses.

#include "simt/qualifiers.h"

namespace kv::simt {

// An integer or a register of this many bytes.
template <unsigned kBytes>
struct Piece;
template <>
struct Piece<2> {
  typedef unsigned short Type __attribute__((may_alias));
};
template <>
struct Piece<4> {
  typedef unsigned Type __attribute__((may_alias));
};
template <>
struct Piece<8> {
  typedef unsigned long Type __attribute__((may_alias));
};
template <>
struct Piece<16> {
  typedef float Type __attribute__((vector_size(16), may_alias));
};

// Why: where g++ finds out that a copy is misaligned, it splits it, and each part is aligned.
template <unsigned kBytes, class Pointer>
KV_SIMT_INLINE void hide_if_misaligned(Pointer& pointer) {
  const unsigned long rest = reinterpret_cast<unsigned long>(pointer) % kBytes;
  if (__builtin_constant_p(rest) && rest != 0) asm("" : "+r"(pointer));
}

// Why the register: without it the optimizer may split the copy.
template <unsigned kBytes>
KV_SIMT_INLINE void copy_in_one_piece(void* to, const void* from) {
  using Value = typename Piece<kBytes>::Type;
#ifdef __OPTIMIZE__
  hide_if_misaligned<kBytes>(to);
  hide_if_misaligned<kBytes>(from);
#endif
  Value value = *static_cast<const Value*>(from);
  if constexpr (kBytes < 16) {
    asm("" : "+r"(value));
  } else {
#if defined(__x86_64__)
    asm("" : "+x"(value));
#elif defined(__aarch64__)
    asm("" : "+w"(value));
#endif
  }
  *static_cast<Value*>(to) = value;
}

template <typename T>
struct Vector1 {
  T x;
};

template <typename T>
struct alignas(2 * sizeof(T)) Vector2 {
  T x, y;

  Vector2() = default;
  KV_SIMT_INLINE constexpr Vector2(T x_, T y_) : x(x_), y(y_) {}
  KV_SIMT_INLINE Vector2(const Vector2& other) { copy_in_one_piece<2 * sizeof(T)>(this, &other); }
  KV_SIMT_INLINE Vector2& operator=(const Vector2& other) {
    copy_in_one_piece<2 * sizeof(T)>(this, &other);
    return *this;
  }
};

template <typename T>
struct Vector3 {
  T x, y, z;
};

template <typename T>
struct alignas(4 * sizeof(T)) Vector4 {
  T x, y, z, w;

  Vector4() = default;
  KV_SIMT_INLINE constexpr Vector4(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}
  KV_SIMT_INLINE Vector4(const Vector4& other) { copy_in_one_piece<4 * sizeof(T)>(this, &other); }
  KV_SIMT_INLINE Vector4& operator=(const Vector4& other) {
    copy_in_one_piece<4 * sizeof(T)>(this, &other);
    return *this;
  }
};

// Four of 8 bytes: two accesses of 16. double4, double4_16a and double4_32a are three types; kName
// is the number in the name, or 0.
template <typename T, unsigned kName>
struct alignas(kName == 0 ? 16 : kName) WideVector4 {
  T x, y, z, w;

  WideVector4() = default;
  KV_SIMT_INLINE constexpr WideVector4(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}
  KV_SIMT_INLINE WideVector4(const WideVector4& other) { copy(other); }
  KV_SIMT_INLINE WideVector4& operator=(const WideVector4& other) {
    copy(other);
    return *this;
  }

 private:
  KV_SIMT_INLINE void copy(const WideVector4& other) {
    copy_in_one_piece<16>(&x, &other.x);
    copy_in_one_piece<16>(&z, &other.z);
  }
};

}  // namespace kv::simt

#define KV_SIMT_VECTORS_TO_3(name, T)                    \
  using name##1 = kv::simt::Vector1<T>;                  \
  using name##2 = kv::simt::Vector2<T>;                  \
  using name##3 = kv::simt::Vector3<T>;                  \
  KV_SIMT_INLINE name##1 make_##name##1(T x) {           \
    return {x};                                          \
  }                                                      \
  KV_SIMT_INLINE name##2 make_##name##2(T x, T y) {      \
    return {x, y};                                       \
  }                                                      \
  KV_SIMT_INLINE name##3 make_##name##3(T x, T y, T z) { \
    return {x, y, z};                                    \
  }
#define KV_SIMT_VECTOR_OF_4(name, T, ...)               \
  using name = kv::simt::__VA_ARGS__;                   \
  KV_SIMT_INLINE name make_##name(T x, T y, T z, T w) { \
    return {x, y, z, w};                                \
  }

#define KV_SIMT_VECTORS(name, T) \
  KV_SIMT_VECTORS_TO_3(name, T)  \
  KV_SIMT_VECTOR_OF_4(name##4, T, Vector4<T>)
#if KV_SIMT_CUDA >= 13
#define KV_SIMT_VECTORS_OF_CUDA_13(name, T)               \
  KV_SIMT_VECTOR_OF_4(name##4_16a, T, WideVector4<T, 16>) \
  KV_SIMT_VECTOR_OF_4(name##4_32a, T, WideVector4<T, 32>)
#else
#define KV_SIMT_VECTORS_OF_CUDA_13(name, T)
#endif
#define KV_SIMT_WIDE_VECTORS(name, T)                \
  KV_SIMT_VECTORS_TO_3(name, T)                      \
  KV_SIMT_VECTOR_OF_4(name##4, T, WideVector4<T, 0>) \
  KV_SIMT_VECTORS_OF_CUDA_13(name, T)

KV_SIMT_VECTORS(char, signed char)
KV_SIMT_VECTORS(uchar, unsigned char)
KV_SIMT_VECTORS(short, short)
KV_SIMT_VECTORS(ushort, unsigned short)
KV_SIMT_VECTORS(int, int)
KV_SIMT_VECTORS(uint, unsigned)
KV_SIMT_VECTORS(float, float)
KV_SIMT_WIDE_VECTORS(long, long)
KV_SIMT_WIDE_VECTORS(ulong, unsigned long)
KV_SIMT_WIDE_VECTORS(longlong, long long)
KV_SIMT_WIDE_VECTORS(ulonglong, unsigned long long)
KV_SIMT_WIDE_VECTORS(double, double)
#undef KV_SIMT_WIDE_VECTORS
#undef KV_SIMT_VECTORS
#undef KV_SIMT_VECTOR_OF_4
#undef KV_SIMT_VECTORS_TO_3

// Sizes of grids and blocks: a size that is not given is 1.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 other) : x(other.x), y(other.y), z(other.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

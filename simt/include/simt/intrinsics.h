#pragma once
// Integer and conversion intrinsics. A conversion that does not fit gives the nearest number that
// does, and of a NaN it gives 0, as the GPU's cvt does.

#include <bit>
#include <cmath>
#include <limits>

#include "simt/device_bits.h"
#include "simt/qualifiers.h"
#include "simt/vector_types.h"

namespace kv::simt {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

template <typename Integer, typename Float>
KV_SIMT_INLINE Integer to_integer(Float whole) {
  using Limits = std::numeric_limits<Integer>;
  if (whole != whole) return 0;
  // The largest integer plus one is a power of two, which every float can hold.
  const Float above = std::ldexp(Float(1), Limits::digits);
  if (whole >= above) return Limits::max();
  if (whole < static_cast<Float>(Limits::min())) return Limits::min();
  return static_cast<Integer>(whole);
}

// A number in a narrower floating-point format, rounded in a direction.
template <int kDirection, typename To, typename From>
KV_SIMT_INLINE To rounded(From value) {
  const To nearest = static_cast<To>(value);
  const auto back = static_cast<long double>(nearest), exact = static_cast<long double>(value);
  constexpr To kInfinity = std::numeric_limits<To>::infinity();
  if (kDirection < 0 && back > exact) return std::nextafter(nearest, -kInfinity);
  if (kDirection > 0 && back < exact) return std::nextafter(nearest, kInfinity);
  return nearest;
}
template <typename To, typename From>
KV_SIMT_INLINE To rounded_to_zero(From value) {
  return value < 0 ? rounded<1, To>(value) : rounded<-1, To>(value);
}

}  // namespace kv::simt

#define KV_SIMT_TO_INTEGER(from, to, From, To)      \
  KV_SIMT_INLINE To __##from##2##to##_rn(From x) {  \
    return kv::simt::to_integer<To>(std::rint(x));  \
  }                                                 \
  KV_SIMT_INLINE To __##from##2##to##_rz(From x) {  \
    return kv::simt::to_integer<To>(std::trunc(x)); \
  }                                                 \
  KV_SIMT_INLINE To __##from##2##to##_rd(From x) {  \
    return kv::simt::to_integer<To>(std::floor(x)); \
  }                                                 \
  KV_SIMT_INLINE To __##from##2##to##_ru(From x) {  \
    return kv::simt::to_integer<To>(std::ceil(x));  \
  }
#define KV_SIMT_TO_FLOAT(from, to, From, To)       \
  KV_SIMT_INLINE To __##from##2##to##_rn(From x) { \
    return static_cast<To>(x);                     \
  }                                                \
  KV_SIMT_INLINE To __##from##2##to##_rz(From x) { \
    return kv::simt::rounded_to_zero<To>(x);       \
  }                                                \
  KV_SIMT_INLINE To __##from##2##to##_rd(From x) { \
    return kv::simt::rounded<-1, To>(x);           \
  }                                                \
  KV_SIMT_INLINE To __##from##2##to##_ru(From x) { \
    return kv::simt::rounded<1, To>(x);            \
  }
KV_SIMT_TO_INTEGER(float, int, float, int)
KV_SIMT_TO_INTEGER(float, uint, float, unsigned)
KV_SIMT_TO_INTEGER(float, ll, float, long long)
KV_SIMT_TO_INTEGER(float, ull, float, unsigned long long)
KV_SIMT_TO_INTEGER(double, int, double, int)
KV_SIMT_TO_INTEGER(double, uint, double, unsigned)
KV_SIMT_TO_INTEGER(double, ll, double, long long)
KV_SIMT_TO_INTEGER(double, ull, double, unsigned long long)
KV_SIMT_TO_FLOAT(int, float, int, float)
KV_SIMT_TO_FLOAT(uint, float, unsigned, float)
KV_SIMT_TO_FLOAT(ll, float, long long, float)
KV_SIMT_TO_FLOAT(ull, float, unsigned long long, float)
KV_SIMT_TO_FLOAT(double, float, double, float)
KV_SIMT_TO_FLOAT(ll, double, long long, double)
KV_SIMT_TO_FLOAT(ull, double, unsigned long long, double)
#undef KV_SIMT_TO_INTEGER
#undef KV_SIMT_TO_FLOAT
KV_SIMT_INLINE double __int2double_rn(int x) {
  return x;
}
KV_SIMT_INLINE double __uint2double_rn(unsigned x) {
  return x;
}

KV_SIMT_INLINE double __longlong_as_double(long long x) {
  return std::bit_cast<double>(x);
}
KV_SIMT_INLINE long long __double_as_longlong(double x) {
  return std::bit_cast<long long>(x);
}
KV_SIMT_INLINE int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
KV_SIMT_INLINE int __double2loint(double x) {
  return static_cast<int>(__double_as_longlong(x));
}
KV_SIMT_INLINE double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
                               static_cast<unsigned>(low));
}

// Products: of the lower 24 bits, or the upper half of all.
KV_SIMT_INLINE int __mul24(int a, int b) {
  const long long product = static_cast<long long>(a << 8 >> 8) * (b << 8 >> 8);
  return static_cast<int>(product);
}
KV_SIMT_INLINE unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
KV_SIMT_INLINE int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
KV_SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
KV_SIMT_INLINE long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<kv::simt::Int128>(a) * b >> 64);
}
KV_SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<kv::simt::Uint128>(a) * b >> 64);
}

KV_SIMT_INLINE unsigned umin(unsigned a, unsigned b) {
  return b < a ? b : a;
}
KV_SIMT_INLINE unsigned umax(unsigned a, unsigned b) {
  return a < b ? b : a;
}
KV_SIMT_INLINE long long llmin(long long a, long long b) {
  return b < a ? b : a;
}
KV_SIMT_INLINE long long llmax(long long a, long long b) {
  return a < b ? b : a;
}
KV_SIMT_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return b < a ? b : a;
}
KV_SIMT_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}

// |a - b| + c
KV_SIMT_INLINE unsigned __sad(int a, int b, unsigned c) {
  return (a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
                : static_cast<unsigned>(a) - static_cast<unsigned>(b)) +
         c;
}
KV_SIMT_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return (a < b ? b - a : a - b) + c;
}

KV_SIMT_INLINE unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}
// The lower digits of the selector name four of the eight bytes of b and a; bit 3 of a digit
// repeats the sign of the byte instead.
KV_SIMT_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned digit = selector >> 4 * i & 0xf;
    unsigned byte = static_cast<unsigned>(bytes >> 8 * (digit & 7)) & 0xff;
    if ((digit & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}
// The upper or lower word of (high, low), shifted; beyond 32 bits the shift wraps, or stays at 32.
KV_SIMT_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both << (shift & 31) >> 32);
}
KV_SIMT_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both >> (shift & 31));
}
KV_SIMT_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
KV_SIMT_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
// c plus the four products of the bytes of a and b.
KV_SIMT_INLINE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) {
    c += static_cast<signed char>(a >> 8 * i) * static_cast<signed char>(b >> 8 * i);
  }
  return c;
}
KV_SIMT_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
  return c;
}

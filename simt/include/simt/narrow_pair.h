#pragma once
// What __half2 and __nv_bfloat162 have in common: two 16-bit floats in one word.

#include <bit>
#include <cstdint>
#include <cstring>

#include "simt/narrow.h"

namespace kv::simt {

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

#pragma once
// Device functions that C++ does not have. Results are the host's: where a GPU is faster and less
// exact, as in __expf, these are exact.

#include <bit>
#include <cmath>

#include "simt/qualifiers.h"

// CUDA has min and max for any two numbers, in the global namespace.
#define KV_SIMT_MIN_MAX(T)         \
  KV_SIMT_INLINE T min(T a, T b) { \
    return b < a ? b : a;          \
  }                                \
  KV_SIMT_INLINE T max(T a, T b) { \
    return a < b ? b : a;          \
  }
KV_SIMT_MIN_MAX(int)
KV_SIMT_MIN_MAX(unsigned)
KV_SIMT_MIN_MAX(long)
KV_SIMT_MIN_MAX(unsigned long)
KV_SIMT_MIN_MAX(long long)
KV_SIMT_MIN_MAX(unsigned long long)
#undef KV_SIMT_MIN_MAX
KV_SIMT_INLINE unsigned min(int a, unsigned b) {
  return min(static_cast<unsigned>(a), b);
}
KV_SIMT_INLINE unsigned min(unsigned a, int b) {
  return min(a, static_cast<unsigned>(b));
}
KV_SIMT_INLINE unsigned max(int a, unsigned b) {
  return max(static_cast<unsigned>(a), b);
}
KV_SIMT_INLINE unsigned max(unsigned a, int b) {
  return max(a, static_cast<unsigned>(b));
}
// The same as fminf and fmaxf: if one of the two is NaN, the other one is the result.
KV_SIMT_INLINE float min(float a, float b) {
  return fminf(a, b);
}
KV_SIMT_INLINE float max(float a, float b) {
  return fmaxf(a, b);
}
KV_SIMT_INLINE double min(double a, double b) {
  return fmin(a, b);
}
KV_SIMT_INLINE double max(double a, double b) {
  return fmax(a, b);
}

KV_SIMT_INLINE float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
KV_SIMT_INLINE double rsqrt(double x) {
  return 1.0 / sqrt(x);
}
KV_SIMT_INLINE float __expf(float x) {
  return expf(x);
}
KV_SIMT_INLINE float __logf(float x) {
  return logf(x);
}
KV_SIMT_INLINE float __log2f(float x) {
  return log2f(x);
}
KV_SIMT_INLINE float __sinf(float x) {
  return sinf(x);
}
KV_SIMT_INLINE float __cosf(float x) {
  return cosf(x);
}
KV_SIMT_INLINE float __powf(float x, float y) {
  return powf(x, y);
}
KV_SIMT_INLINE float __fdividef(float a, float b) {
  return a / b;
}
KV_SIMT_INLINE float __frcp_rn(float x) {
  return 1.0f / x;
}
KV_SIMT_INLINE float __fsqrt_rn(float x) {
  return sqrtf(x);
}
KV_SIMT_INLINE float __fmaf_rn(float a, float b, float c) {
  return fmaf(a, b, c);
}
KV_SIMT_INLINE float __fadd_rn(float a, float b) {
  return a + b;
}
KV_SIMT_INLINE float __fmul_rn(float a, float b) {
  return a * b;
}
KV_SIMT_INLINE float __fsub_rn(float a, float b) {
  return a - b;
}
KV_SIMT_INLINE float __fdiv_rn(float a, float b) {
  return a / b;
}
KV_SIMT_INLINE float __frsqrt_rn(float x) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}
KV_SIMT_INLINE double __dadd_rn(double a, double b) {
  return a + b;
}
KV_SIMT_INLINE double __dsub_rn(double a, double b) {
  return a - b;
}
KV_SIMT_INLINE double __dmul_rn(double a, double b) {
  return a * b;
}
KV_SIMT_INLINE double __ddiv_rn(double a, double b) {
  return a / b;
}
KV_SIMT_INLINE double __fma_rn(double a, double b, double c) {
  return fma(a, b, c);
}
KV_SIMT_INLINE float __tanf(float x) {
  return tanf(x);
}
KV_SIMT_INLINE float __log10f(float x) {
  return log10f(x);
}
KV_SIMT_INLINE float __exp10f(float x) {
  return powf(10.0f, x);
}
KV_SIMT_INLINE void __sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
KV_SIMT_INLINE float sinpif(float x) {
  return static_cast<float>(sin(x * M_PI));
}
KV_SIMT_INLINE float cospif(float x) {
  return static_cast<float>(cos(x * M_PI));
}
KV_SIMT_INLINE double sinpi(double x) {
  return sin(x * M_PI);
}
KV_SIMT_INLINE double cospi(double x) {
  return cos(x * M_PI);
}
KV_SIMT_INLINE float rcbrtf(float x) {
  return 1.0f / cbrtf(x);
}
KV_SIMT_INLINE float norm3df(float a, float b, float c) {
  return sqrtf(a * a + b * b + c * c);
}
KV_SIMT_INLINE float rnorm3df(float a, float b, float c) {
  return 1.0f / norm3df(a, b, c);
}
KV_SIMT_INLINE float normcdff(float x) {
  return 0.5f * erfcf(-x * static_cast<float>(M_SQRT1_2));
}
KV_SIMT_INLINE double normcdf(double x) {
  return 0.5 * erfc(-x * M_SQRT1_2);
}
KV_SIMT_INLINE float __saturatef(float x) {
  return fminf(fmaxf(x, 0.0f), 1.0f);
}

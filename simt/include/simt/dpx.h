#pragma once
// The functions for dynamic programming, DPX: maxima and minima of three numbers, of a sum and a
// number, or with the answer which one it was; of integers, and of the two halves of a word.

#include <algorithm>

#include "simt/qualifiers.h"

namespace kv::simt {

template <typename Part, typename Operation>
KV_SIMT_INLINE unsigned for_both_halves(unsigned a, unsigned b, unsigned c, Operation operation) {
  const auto low = [](unsigned word) { return static_cast<Part>(word); };
  const auto high = [](unsigned word) { return static_cast<Part>(word >> 16); };
  const auto first = static_cast<unsigned short>(operation(low(a), low(b), low(c)));
  const auto second = static_cast<unsigned short>(operation(high(a), high(b), high(c)));
  return first | static_cast<unsigned>(second) << 16;
}

// A sum as a GPU has it: bits that have no room are lost.
template <typename T>
KV_SIMT_INLINE T wrapped_sum(T a, T b) {
  return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

}  // namespace kv::simt

// In an expression, a, b and c are the numbers, of type T.
#define KV_SIMT_DPX_WORD(name, T, expression) \
  KV_SIMT_INLINE T name(T a, T b, T c) {      \
    return (expression);                      \
  }
#define KV_SIMT_DPX_HALVES(name, Part, expression)                                              \
  KV_SIMT_INLINE unsigned name(unsigned x, unsigned y, unsigned z) {                            \
    using T [[maybe_unused]] = Part;                                                            \
    return ::kv::simt::for_both_halves<T>(x, y, z, [](T a, T b, T c) { return (expression); }); \
  }
#define KV_SIMT_DPX_SIGNED(name, expression)                        \
  KV_SIMT_DPX_WORD(name##_s32, int, (expression))                   \
  KV_SIMT_DPX_WORD(name##_s32_relu, int, std::max(0, (expression))) \
  KV_SIMT_DPX_HALVES(name##_s16x2, short, (expression))             \
  KV_SIMT_DPX_HALVES(name##_s16x2_relu, short, std::max<short>(0, (expression)))
#define KV_SIMT_DPX(name, expression)                  \
  KV_SIMT_DPX_SIGNED(name, expression)                 \
  KV_SIMT_DPX_WORD(name##_u32, unsigned, (expression)) \
  KV_SIMT_DPX_HALVES(name##_u16x2, unsigned short, (expression))
KV_SIMT_DPX(__vimax3, std::max(std::max(a, b), c))
KV_SIMT_DPX(__vimin3, std::min(std::min(a, b), c))
KV_SIMT_DPX(__viaddmax, std::max(::kv::simt::wrapped_sum(a, b), c))
KV_SIMT_DPX(__viaddmin, std::min(::kv::simt::wrapped_sum(a, b), c))
#undef KV_SIMT_DPX
#undef KV_SIMT_DPX_SIGNED
#undef KV_SIMT_DPX_HALVES
#undef KV_SIMT_DPX_WORD

// The better one of two numbers: not below zero; or with the answer whether it is the first one.
#define KV_SIMT_DPX_OF_TWO(name, three, with, better)                 \
  KV_SIMT_INLINE int name##_s32_relu(int a, int b) {                  \
    return three##_s32_relu(a, b, b);                                 \
  }                                                                   \
  KV_SIMT_INLINE unsigned name##_s16x2_relu(unsigned a, unsigned b) { \
    return three##_s16x2_relu(a, b, b);                               \
  }                                                                   \
  KV_SIMT_DPX_ANSWER(with##_s32, int, three##_s32, better)            \
  KV_SIMT_DPX_ANSWER(with##_u32, unsigned, three##_u32, better)       \
  KV_SIMT_DPX_ANSWERS(with##_s16x2, short, three##_s16x2, better)     \
  KV_SIMT_DPX_ANSWERS(with##_u16x2, unsigned short, three##_u16x2, better)
#define KV_SIMT_DPX_ANSWER(name, T, three, better)  \
  KV_SIMT_INLINE T name(T a, T b, bool* is_first) { \
    *is_first = a better b;                         \
    return three(a, b, b);                          \
  }
#define KV_SIMT_DPX_ANSWERS(name, Part, three, better)                                            \
  KV_SIMT_INLINE unsigned name(unsigned a, unsigned b, bool* is_first_high, bool* is_first_low) { \
    *is_first_high = static_cast<Part>(a >> 16) better static_cast<Part>(b >> 16);                \
    *is_first_low = static_cast<Part>(a) better static_cast<Part>(b);                             \
    return three(a, b, b);                                                                        \
  }
KV_SIMT_DPX_OF_TWO(__vimax, __vimax3, __vibmax, >=)
KV_SIMT_DPX_OF_TWO(__vimin, __vimin3, __vibmin, <=)
#undef KV_SIMT_DPX_ANSWERS
#undef KV_SIMT_DPX_ANSWER
#undef KV_SIMT_DPX_OF_TWO

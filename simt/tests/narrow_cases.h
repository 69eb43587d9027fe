#pragma once
// One interface for both 16-bit formats, and the values for their tests. Compiles with our
// cuda_fp16.h and cuda_bf16.h and with the toolkit's.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace kv::simt {

struct Half {
  using Value = __half;
  using Pair = __half2;
  static constexpr const char* kName = "half";
  static Value make(unsigned bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }
  static unsigned bits(Value a) { return __half_as_ushort(a); }
  static float to_float(Value a) { return __half2float(a); }
  static Value from_float(float a) { return __float2half_rn(a); }
  static Value from_double(double a) { return __double2half(a); }
  static Pair pair(float2 a) { return __float22half2_rn(a); }
  static float2 to_float2(Pair a) { return __half22float2(a); }
};

struct Bfloat16 {
  using Value = __nv_bfloat16;
  using Pair = __nv_bfloat162;
  static constexpr const char* kName = "bfloat16";
  static Value make(unsigned bits) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
  }
  static unsigned bits(Value a) { return __bfloat16_as_ushort(a); }
  static float to_float(Value a) { return __bfloat162float(a); }
  static Value from_float(float a) { return __float2bfloat16_rn(a); }
  static Value from_double(double a) { return __double2bfloat16(a); }
  static Pair pair(float2 a) { return __float22bfloat162_rn(a); }
  static float2 to_float2(Pair a) { return __bfloat1622float2(a); }
};

// The same numbers wherever this is compiled.
class RandomBits {
 public:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 1;
};

// Every value of the format, everything halfway between two, one float to either side of that, and
// random floats: subnormal, too large, infinite and NaN among them.
template <typename Format>
std::vector<float> floats_to_round() {
  std::vector<float> floats;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = Format::to_float(Format::make(bits));
    const float next = Format::to_float(Format::make((bits + 1) & 0xffff));
    const float middle = value / 2 + next / 2;
    for (const float f : {value, middle}) {
      floats.insert(floats.end(), {f, std::nextafter(f, -INFINITY), std::nextafter(f, INFINITY)});
    }
  }
  RandomBits random;
  for (int i = 0; i < 1'000'000; ++i) {
    floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random.next())));
  }
  return floats;
}

// Two patterns in one word: all pairs of a systematic set, then random ones.
inline std::vector<std::uint32_t> operand_pairs() {
  std::vector<std::uint32_t> special;
  for (std::uint32_t top = 0; top < 0x100; ++top) {
    for (const std::uint32_t low : {0x00u, 0x01u, 0x80u, 0xffu}) special.push_back(top << 8 | low);
  }
  std::vector<std::uint32_t> pairs;
  for (const std::uint32_t a : special) {
    for (const std::uint32_t b : special) pairs.push_back(a << 16 | b);
  }
  RandomBits random;
  for (int i = 0; i < 2'000'000; ++i) pairs.push_back(static_cast<std::uint32_t>(random.next()));
  return pairs;
}

}  // namespace kv::simt

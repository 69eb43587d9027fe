#pragma once
// A vector of kLanes floats, which fits one register. g++ and clang++ have it on any processor.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "07-serving/given/tensor.h"

namespace kv {

constexpr std::size_t kLanes = std::min<std::size_t>(16, __BIGGEST_ALIGNMENT__ / sizeof(float));
using Lanes [[gnu::vector_size(kLanes * sizeof(float))]] = float;
using BitsOfLanes [[gnu::vector_size(kLanes * sizeof(float))]] = std::uint32_t;
using HalvesOfLanes [[gnu::vector_size(kLanes * sizeof(float) / 2)]] = std::uint16_t;

// Why not a function that converts one number: this converts all lanes at once.
inline Lanes lanes_of_halves(BitsOfLanes halves) {
  const BitsOfLanes magnitude = (halves & 0x7fffu) << 13;
  const BitsOfLanes sign = (halves & 0x8000u) << 16;
  const auto is_infinite = (halves & 0x7c00u) == 0x7c00u;  // or NaN
  const auto exponent = std::bit_cast<BitsOfLanes>(is_infinite) & 0x7f800000u;
  const Lanes value = std::bit_cast<Lanes>(magnitude) * 0x1p112f;  // the biases are 127 and 15
  return std::bit_cast<Lanes>(std::bit_cast<BitsOfLanes>(value) | sign | exponent);
}

// kLanes numbers of a tensor, widened.
template <NumberType type>
Lanes load_lanes(const std::byte* numbers) {
  if constexpr (type == NumberType::kF32) {
    Lanes lanes;
    std::memcpy(&lanes, numbers, sizeof lanes);
    return lanes;
  } else {
    HalvesOfLanes stored;
    std::memcpy(&stored, numbers, sizeof stored);
    const auto bits = __builtin_convertvector(stored, BitsOfLanes);
    if constexpr (type == NumberType::kF16) return lanes_of_halves(bits);
    return std::bit_cast<Lanes>(bits << 16);
  }
}

// Calls work for this type: work is a template with the type as its parameter.
template <class Work>
void with_type(NumberType type, const Work& work) {
  switch (type) {
    case NumberType::kF32:
      return work.template operator()<NumberType::kF32>();
    case NumberType::kF16:
      return work.template operator()<NumberType::kF16>();
    case NumberType::kBF16:
      return work.template operator()<NumberType::kBF16>();
  }
}

}  // namespace kv

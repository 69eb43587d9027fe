#pragma once
// Random numbers as a kernel stores them, and what storing them rounds.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <vector>

#include "grader/harness/random.h"

namespace kv::grader {

template <class Scalar>
constexpr double kRounding = 0;  // half a unit in the last place of 1
template <>
inline constexpr double kRounding<__half> = 0x1p-11;
template <>
inline constexpr double kRounding<__nv_bfloat16> = 0x1p-8;

// In [-1, 1), as Scalar stores it.
template <class Scalar>
Scalar random_scalar(Random& random) {
  return Scalar(static_cast<float>(random.below(1u << 20)) / (1u << 19) - 1.0f);
}

template <class Scalar>
std::vector<Scalar> random_scalars(Random& random, std::size_t size) {
  std::vector<Scalar> numbers(size);
  for (Scalar& number : numbers) number = random_scalar<Scalar>(random);
  return numbers;
}

template <class Scalar>
std::vector<double> widened(const std::vector<Scalar>& numbers) {
  std::vector<double> wide;
  for (const Scalar number : numbers)
    wide.push_back(static_cast<double>(static_cast<float>(number)));
  return wide;
}

}  // namespace kv::grader

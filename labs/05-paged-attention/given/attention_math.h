#pragma once
// Given to every step that attends: two vector operations, and how query heads share a KV head.

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "05-paged-attention/paged_layout.h"

namespace kv {

// The sum of all a[i] * b[i]. Why sixteen sums, and product i in sum i % 16: a processor adds
// sixteen numbers side by side, but one sum only number after number.
template <class Real>
Real dot(std::span<const Real> a, std::span<const Real> b) {
  constexpr std::size_t kSums = 16;
  std::array<Real, kSums> sums = {};
  const std::size_t num_in_groups = a.size() / kSums * kSums;
  for (std::size_t i = 0; i < num_in_groups; i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) sums[j] += a[i + j] * b[i + j];
  }
  for (std::size_t i = num_in_groups; i < a.size(); ++i) sums[i % kSums] += a[i] * b[i];

  for (std::size_t half = kSums / 2; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) sums[j] += sums[j + half];
  }
  return sums[0];
}

// dot(a, b) of spans and vectors, const or not: Real is the type of their elements.
template <class A, class B>
auto dot(const A& a, const B& b) {
  return dot<typename A::value_type>(a, b);
}

// sum += factor * values
template <class Real>
void add_scaled(std::span<Real> sum, Real factor, std::span<const Real> values) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * values[i];
}

// add_scaled(sum, factor, values) of spans and vectors, const or not.
template <class Sum, class Real, class Values>
void add_scaled(Sum&& sum, Real factor, const Values& values) {
  add_scaled<typename std::remove_cvref_t<Sum>::value_type>(sum, factor, values);
}

// How many query heads read one KV head; 0 if num_heads is not a multiple of num_kv_heads.
inline std::size_t heads_per_kv_head(std::size_t num_heads, const PagedLayout& layout) {
  if (layout.num_kv_heads == 0 || num_heads % layout.num_kv_heads != 0) return 0;
  return num_heads / layout.num_kv_heads;
}

}  // namespace kv

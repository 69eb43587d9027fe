#pragma once
// Given to every step that attends: two vector operations, and how query heads share a KV head.

#include <cstddef>
#include <span>
#include <type_traits>

#include "05-paged-attention/paged_layout.h"

namespace kv {

template <class Real>
Real dot(std::span<const Real> a, std::span<const Real> b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
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

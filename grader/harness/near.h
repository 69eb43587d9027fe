#pragma once
// Comparison of floating-point numbers in which a NaN never passes.

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace kv::grader {

// |actual - expected| <= tolerance * max(1, |expected|); false whenever either is NaN.
template <class Real>
bool near(Real actual, Real expected, Real tolerance) {
  if (actual == expected) return true;  // equal infinities, whose difference is NaN
  const Real error = std::abs(actual - expected);
  return !std::isinf(expected) && error <= tolerance * std::fmax(Real{1}, std::abs(expected));
}

// The error of a sum of n rounded terms is at most about n units in the last place of its largest
// partial sum; the factor 4 leaves room for the products and one division.
template <class Real>
constexpr Real sum_tolerance(std::size_t num_terms) {
  return Real{4} * static_cast<Real>(num_terms) * std::numeric_limits<Real>::epsilon();
}

// The first index at which two arrays of equal length are not near; their length if there is none.
template <class Real>
std::size_t first_difference(std::span<const Real> actual,
                             std::span<const Real> expected,
                             Real tolerance) {
  std::size_t i = 0;
  while (i < expected.size() && near(actual[i], expected[i], tolerance)) ++i;
  return i;
}

}  // namespace kv::grader

#pragma once
// What a test tries where a contract names a range. A special case, or a rule of thumb like "exp of
// less than -90 is 0", goes wrong in a part of the range only.

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace kv::grader {

// 1, 2, 3, and then the neighbors of powers of 2, and a number between two of them.
inline std::vector<std::size_t> sizes_up_to(std::size_t most) {
  std::vector<std::size_t> all = {1, 2};
  for (std::size_t power = 4; power <= most; power *= 2)
    for (const std::size_t size : {power - 1, power, power + 1, power + power / 2})
      all.push_back(size);
  return all;
}

// Up to here exp of a number and of its negative are normal numbers, and some of them can be added.
template <class Real>
Real most_that_exp_takes() {
  return std::log(std::numeric_limits<Real>::max() / 64);
}

// A value so large that it shows with the weight exp(-growth); 1 where no normal number does.
template <class Real>
Real value_against(Real growth) {
  return growth <= most_that_exp_takes<Real>() ? std::exp(growth) : Real{1};
}

// By how much scores may grow from one token, block or state to the next: from 2^-10 to 2^10 in
// eighths of an octave; each whole number from where exp(-growth) has fewer digits than others to
// where it is 0; and in larger steps up to the end of the type.
template <class Real>
std::vector<Real> growths() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> all;
  for (int i = -80; i <= 80; ++i) all.push_back(std::exp2(static_cast<Real>(i) / 8));
  const Real end = -std::log(Limits::denorm_min()) + 2;
  for (Real growth = std::floor(-std::log(Limits::min())); growth < end; ++growth)
    all.push_back(growth);
  for (Real growth = 2048; growth < Limits::max() / 8; growth *= 256) all.push_back(growth);
  all.push_back(Limits::max() / 8);
  return all;
}

// Relative: the error of a sum of so many terms, and of exp of a number whose last digit is rounded
// twice.
template <class Real>
double tolerance_of_exp(std::size_t num_terms, double distance) {
  const double unit = double{std::numeric_limits<Real>::epsilon()};
  return (4 * static_cast<double>(num_terms) + 2 * std::abs(distance)) * unit;
}

// Whether a weight exp(-distance) is what it should be. Below the smallest normal number, numbers
// have fewer digits.
template <class Real>
bool near_weight(Real yours, double expected, std::size_t num_terms, double distance) {
  const double smallest = double{std::numeric_limits<Real>::min()};
  const double tolerance = tolerance_of_exp<Real>(num_terms, distance) * expected + smallest;
  return std::abs(double{yours} - expected) <= tolerance;  // never of a NaN
}

}  // namespace kv::grader

// Compiles: dot and add_scaled deduce their type from spans and vectors, const or not, alone or
// mixed. A student writes dot(q, cache.key(slot, kv_head)), of a const span and of one that is not.

#include "05-paged-attention/given/attention_math.h"

#include <concepts>
#include <vector>

namespace kv::grader::attention_math {

template <class Real>
struct Operands {
  std::vector<Real> vector;
  std::span<Real> span;
  const std::vector<Real>& const_vector;
  std::span<const Real> const_span;
};

template <class Real>
void each_first_operand(Operands<Real> x, const auto& second) {
  static_assert(std::same_as<decltype(dot(x.span, second)), Real>);
  (void)(dot(x.vector, second) + dot(x.const_vector, second) + dot(x.const_span, second));
  add_scaled(x.vector, Real{2}, second);
  add_scaled(x.span, Real{2}, second);
  add_scaled(x.span.first(0), Real{2}, second);
}

template <class Real>
void each_pair(Operands<Real> x) {
  each_first_operand(x, x.vector);
  each_first_operand(x, x.span);
  each_first_operand(x, x.const_vector);
  each_first_operand(x, x.const_span);
  (void)dot<Real>(x.span, x.const_span);
  add_scaled<Real>(x.vector, 2, x.span);
}

template void each_pair<float>(Operands<float>);
template void each_pair<double>(Operands<double>);

}  // namespace kv::grader::attention_math

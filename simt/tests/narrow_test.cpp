// The fused multiply-add, which the toolkit does not compute on a host, and rounding: both compared
// with exact integers and a search for the nearest value.

#include <gtest/gtest.h>

#include <algorithm>

#include "narrow_cases.h"

namespace kv::simt {
namespace {

// Fixed point with 60 binary places: exact for every value below.
__extension__ typedef __int128 Exact;

Exact exact(float value) {
  return static_cast<Exact>(std::ldexp(static_cast<long double>(value), 60));
}

template <typename Format>
struct Nearest {
  struct Candidate {
    Exact value;
    unsigned bits;
  };
  std::vector<Candidate> candidates;  // not negative, ascending

  Nearest() {
    for (unsigned bits = 0; bits < 0x7fff; ++bits) {
      const float value = Format::to_float(Format::make(bits));
      if (value != 0 && value < 0x1p-52f) continue;  // these have more than 60 places
      if (value > 0x1p40f) break;
      candidates.push_back({exact(value), bits});
    }
  }

  unsigned operator()(Exact wanted) const {
    const auto above = std::ranges::lower_bound(candidates, wanted, {}, &Candidate::value);
    if (above->value == wanted) return above->bits;
    const auto below = above - 1;
    const Exact up = above->value - wanted;
    const Exact down = wanted - below->value;
    if (up == down) return below->bits % 2 == 0 ? below->bits : above->bits;
    return up < down ? above->bits : below->bits;
  }
};

template <typename Format>
class NarrowFloat : public testing::Test {};
using Formats = testing::Types<Half, Bfloat16>;
TYPED_TEST_SUITE(NarrowFloat, Formats);

// A value between 2^least and 2^(least + range), of either sign.
template <typename Format>
typename Format::Value draw(RandomBits& random, int least, int range) {
  const std::uint64_t bits = random.next();
  const double magnitude = 1 + static_cast<double>(bits % 1024) / 1024;
  const int exponent = least + static_cast<int>(bits / 1024 % static_cast<unsigned>(range));
  return Format::from_double(std::ldexp(bits >> 63 != 0 ? -magnitude : magnitude, exponent));
}

TYPED_TEST(NarrowFloat, RoundsAFloatToTheNearest) {
  const Nearest<TypeParam> nearest;
  for (const float f : floats_to_round<TypeParam>()) {
    if (!(std::fabs(f) > 0x1p-36f && std::fabs(f) < 65504)) continue;
    const unsigned rounded = TypeParam::bits(TypeParam::from_float(f));
    ASSERT_EQ(rounded & 0x7fff, nearest(exact(std::fabs(f)))) << f;
    ASSERT_EQ(rounded >> 15, f < 0 ? 1u : 0u) << f;
  }
}

TYPED_TEST(NarrowFloat, FusedMultiplyAddRoundsOnce) {
  const Nearest<TypeParam> nearest;
  const bool is_half = TypeParam::kName == Half::kName;
  RandomBits random;
  for (int i = 0; i < 500'000; ++i) {
    const auto a = draw<TypeParam>(random, -7, 14);
    const auto b = draw<TypeParam>(random, -7, 14);
    const auto c = draw<TypeParam>(random, is_half ? -24 : -50, is_half ? 38 : 64);
    const float fa = a, fb = b, fc = c;
    const Exact sum = exact(fa * fb) + exact(fc);  // 22 bits: the product of floats is exact
    const unsigned fused = TypeParam::bits(__hfma(a, b, c));
    ASSERT_EQ(fused & 0x7fff, nearest(sum < 0 ? -sum : sum)) << fa << " * " << fb << " + " << fc;
    ASSERT_TRUE(sum == 0 || fused >> 15 == (sum < 0 ? 1u : 0u)) << "the sign";
  }
}

TYPED_TEST(NarrowFloat, FusedMultiplyAddOfInfinityAndNan) {
  using T = typename TypeParam::Value;
  const T infinity = T(INFINITY);
  EXPECT_TRUE(__hfma(infinity, T(1), T(1)) == infinity);
  EXPECT_TRUE(__hisnan(__hfma(infinity, T(1), -infinity)));
  EXPECT_TRUE(__hisnan(__hfma(infinity, T(0), T(1))));
}

TYPED_TEST(NarrowFloat, AnArgumentConverts) {
  using T = typename TypeParam::Value;
  const T two = 2;
  EXPECT_EQ(static_cast<float>(__hadd(two, 1.5f)), 3.5f);
  EXPECT_EQ(static_cast<float>(__hfma(two, 3, 1.0)), 7);
}

TYPED_TEST(NarrowFloat, HasTheMemoryLayoutOfTheToolkit) {
  static_assert(sizeof(typename TypeParam::Value) == 2 && alignof(typename TypeParam::Value) == 2);
  static_assert(sizeof(typename TypeParam::Pair) == 4 && alignof(typename TypeParam::Pair) == 4);
  static_assert(std::is_trivially_copyable_v<typename TypeParam::Value>);
  static_assert(std::is_trivially_default_constructible_v<typename TypeParam::Pair>);
}

}  // namespace
}  // namespace kv::simt

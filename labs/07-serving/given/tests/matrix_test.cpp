// Products of matrices: each bit is that of sixteen sums, written down plainly.

#include "07-serving/given/matrix.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "07-serving/given/lanes.h"
#include "grader/harness/expectations.h"
#include "grader/harness/random.h"

namespace kv::grader {
namespace {

#ifdef LAB_EXPECTED_LANES
static_assert(kLanes == LAB_EXPECTED_LANES, "these tests are for another width");
#endif

constexpr std::array kTypes = {NumberType::kF32, NumberType::kF16, NumberType::kBF16};

// In [-1, 1), and now and then far smaller, so that the order of a sum is seen in its bits.
float number(Random& random) {
  const float value = static_cast<float>(random.below(1 << 20)) / static_cast<float>(1 << 19) - 1;
  return random.below(4) == 0 ? value * 1e-4f : value;
}

std::vector<float> numbers(Random& random, std::size_t size) {
  std::vector<float> values(size);
  for (float& value : values) value = number(random);
  return values;
}

Tensor tensor_of_bits(std::vector<std::size_t> shape,
                      NumberType type,
                      std::vector<std::uint16_t> bits) {
  auto memory = std::make_shared<const std::vector<std::uint16_t>>(std::move(bits));
  return {std::move(shape), type, reinterpret_cast<const std::byte*>(memory->data()), memory};
}

// Any finite numbers of this type.
Tensor random_tensor(Random& random, NumberType type, std::vector<std::size_t> shape) {
  const std::size_t size = shape[0] * shape[1];
  if (type == NumberType::kF32) return tensor_of(std::move(shape), numbers(random, size));
  std::vector<std::uint16_t> bits(size);
  const unsigned exponent_of_1 = type == NumberType::kF16 ? 0x3c00 : 0x3f80;
  for (std::uint16_t& half : bits)
    half =
        static_cast<std::uint16_t>(exponent_of_1 - random.below(0x800) + (random.below(2) << 15));
  return tensor_of_bits(std::move(shape), type, std::move(bits));
}

// What matrix.h says, number after number.
float plain_product(std::span<const float> weights, std::span<const float> x) {
  std::array<float, 16> sums = {};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const volatile float product = x[i] * weights[i];  // rounded, and not fused with the sum
    sums[i % 16] += product;
  }
  for (const std::size_t half : {8u, 4u, 2u, 1u}) {
    for (std::size_t j = 0; j < half; ++j) sums[j] += sums[j + half];
  }
  return sums[0];
}

// So that 0 and -0, and numbers that are none, are compared, too.
std::vector<std::uint32_t> bits_of(std::span<const float> values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

struct Case {
  std::size_t num_tokens, num_outputs, num_inputs;
};

std::string text_of(const Case& sizes, NumberType type) {
  return std::to_string(sizes.num_tokens) + " tokens, " + std::to_string(sizes.num_outputs) +
         " outputs, " + std::to_string(sizes.num_inputs) + " inputs, type " +
         std::to_string(static_cast<int>(type));
}

void expect_plain_products(const Case& sizes, NumberType type, Workers& workers, Random& random) {
  const auto& [num_tokens, num_outputs, num_inputs] = sizes;
  const Matrix matrix(random_tensor(random, type, {num_outputs, num_inputs}));
  const std::vector<float> x = numbers(random, num_tokens * num_inputs);
  std::vector<float> out(num_tokens * num_outputs, std::numeric_limits<float>::quiet_NaN());
  matrix.multiply(out, x, workers);

  std::vector<float> expected, row(num_inputs);
  for (std::size_t t = 0; t < num_tokens; ++t) {
    for (std::size_t o = 0; o < num_outputs; ++o) {
      matrix.copy_row(row, o);
      expected.push_back(plain_product(row, std::span(x).subspan(t * num_inputs, num_inputs)));
    }
  }
  EXPECT_SAME(bits_of(out), bits_of(expected)) << text_of(sizes, type);
}

TEST(Matrix, EachBitIsThatOfSixteenSums) {
  Random random(1);
  Workers workers(1);
  for (const NumberType type : kTypes) {
    for (const std::size_t num_inputs : {1u, 7u, 15u, 16u, 17u, 32u, 48u, 70u}) {
      for (std::size_t num_outputs = 1; num_outputs < 10; ++num_outputs) {
        for (const std::size_t num_tokens : {1u, 2u, 3u, 4u, 5u, 8u, 9u, 13u})
          expect_plain_products({num_tokens, num_outputs, num_inputs}, type, workers, random);
      }
    }
  }
}

// Also more tokens than are computed before the first ones' numbers leave the cache.
TEST(Matrix, AnyNumberOfThreadsGivesTheSameBits) {
  for (const std::size_t num_threads : {1u, 2u, 3u, 8u}) {
    Workers workers(num_threads);
    Random random(2);
    for (const NumberType type : kTypes) {
      expect_plain_products({40, 301, 96}, type, workers, random);
      expect_plain_products({1, 4099, 80}, type, workers, random);
      expect_plain_products({2000, 3, 70}, type, workers, random);
    }
  }
}

// A row that is read too far shows: the numbers after it are no numbers.
TEST(Matrix, ReadsNoNumberOfTheNextRow) {
  Random random(3);
  Workers workers(1);
  for (const std::size_t num_inputs : {5u, 16u, 20u}) {
    std::vector<float> weights = numbers(random, 2 * num_inputs);
    for (std::size_t i = num_inputs; i < weights.size(); ++i)
      weights[i] = std::numeric_limits<float>::quiet_NaN();
    const Matrix matrix(tensor_of({2, num_inputs}, weights));
    std::vector<float> out(2);
    matrix.multiply(out, numbers(random, num_inputs), workers);
    EXPECT_HOLDS(std::isfinite(out[0])) << num_inputs << " inputs";
  }
}

TEST(Widen, AllHalvesAreTheNumbersThatTheyStandFor) {
  std::vector<std::uint16_t> all(1 << 16);
  for (std::size_t bits = 0; bits < all.size(); ++bits)
    all[bits] = static_cast<std::uint16_t>(bits);
  std::vector<float> widened(all.size());
  widen(widened, tensor_of_bits({all.size()}, NumberType::kF16, all), 0);
  for (std::size_t bits = 0; bits < all.size(); ++bits) {
    const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    const float sign = bits >> 15 != 0 ? -1.0f : 1.0f;
    if (exponent == 0x1f && fraction != 0) {
      EXPECT_HOLDS(std::isnan(widened[bits])) << bits;
    } else {
      const double size = exponent == 0      ? std::ldexp(fraction, -24)
                          : exponent == 0x1f ? HUGE_VAL
                                             : std::ldexp(fraction + 0x400, exponent - 25);
      const float expected = sign * static_cast<float>(size);
      EXPECT_SAME(bits_of({&widened[bits], 1}), bits_of({&expected, 1})) << bits;
    }
  }
}

TEST(Widen, AnyPartOfATensor) {
  std::vector<std::uint16_t> bits(100);
  for (std::size_t i = 0; i < bits.size(); ++i)
    bits[i] = static_cast<std::uint16_t>(0x3f80 + i);  // 1 and a little more, in BF16
  const Tensor tensor = tensor_of_bits({bits.size()}, NumberType::kBF16, bits);
  for (std::size_t first = 0; first < bits.size(); ++first) {
    for (std::size_t size = 0; first + size <= bits.size(); ++size) {
      std::vector<float> out(size + 1, -1);
      widen(std::span(out).first(size), tensor, first);
      for (std::size_t i = 0; i < size; ++i)
        EXPECT_SAME(out[i], 1 + static_cast<float>(first + i) / 128) << first << " + " << i;
      EXPECT_SAME(out[size], -1.0f) << "nothing is written after " << size;
    }
  }
}

}  // namespace
}  // namespace kv::grader

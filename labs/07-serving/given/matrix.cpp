#include "07-serving/given/matrix.h"

#include <array>

#include "07-serving/given/lanes.h"

namespace kv {
namespace {

constexpr std::size_t kSums = 16;  // as matrix.h says
constexpr std::size_t kRegisters = kSums / kLanes;

// How many outputs of how many tokens are computed side by side, so that each number which is
// loaded is used several times. Why not more: their sums stay in registers.
constexpr std::size_t kOutputsAtOnce = std::max<std::size_t>(1, kLanes / 4);
constexpr std::size_t kTokensAtOnce = kOutputsAtOnce;

// A call with fewer products is computed by one thread: it takes about 20 microseconds.
constexpr std::size_t kWorthThreads = 1 << 18;

// Why several: a thread that comes late, because the machine has other work, takes fewer.
constexpr std::size_t kPartsPerThread = 4;

// The numbers of x that are used again and again while they are in the cache: half a megabyte.
constexpr std::size_t kNumbersInCache = 1 << 17;

std::size_t rounded_up(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

// Rows of numbers of one type, each of them full registers.
template <NumberType type>
struct Rows {
  const std::byte* numbers;  // [num_rows, width]
  std::size_t width;         // a multiple of kSums

  const std::byte* at(std::size_t row, std::size_t i) const {
    return numbers + (row * width + i) * bytes_of(type);
  }
};
using Floats = Rows<NumberType::kF32>;

Floats floats(const float* numbers, std::size_t width) {
  return {reinterpret_cast<const std::byte*>(numbers), width};
}

// Outputs of a call, for all tokens.
struct Outputs {
  float* first;            // where the first output of token 0 belongs
  std::size_t num;         // how many of each token, at most kOutputsAtOnce
  std::size_t token_size;  // from one token's to the next one's
};

// The sum of both halves of some numbers, side by side.
template <class Half, class Numbers>
void add_halves(Half& sum, const Numbers& numbers) {
  static_assert(sizeof numbers == 2 * sizeof sum);
  Half upper;
  std::memcpy(&sum, &numbers, sizeof sum);
  std::memcpy(&upper, reinterpret_cast<const std::byte*>(&numbers) + sizeof sum, sizeof upper);
  sum += upper;
}

using Sums = std::array<Lanes, kRegisters>;

float total(const Sums& sums) {
  [[gnu::vector_size(8 * sizeof(float))]] float eight;
  [[gnu::vector_size(4 * sizeof(float))]] float four;
  [[gnu::vector_size(2 * sizeof(float))]] float two;
  add_halves(eight, sums);
  add_halves(four, eight);
  add_halves(two, four);
  return two[0] + two[1];
}

// The products of kOutputsAtOnce rows of weights with kTokens tokens.
template <std::size_t kTokens, NumberType type>
void multiply_rows(Outputs out, Rows<type> weights, Floats x) {
  std::array<std::array<Sums, kOutputsAtOnce>, kTokens> sums = {};
  for (std::size_t i = 0; i < x.width; i += kSums) {
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kOutputsAtOnce; ++r) {
      // The next rows are on their way while these are used. Widened ones are in the cache.
      if constexpr (type != NumberType::kF32) __builtin_prefetch(weights.at(kOutputsAtOnce + r, i));
#pragma GCC unroll 4
      for (std::size_t k = 0; k < kRegisters; ++k) {
        const Lanes weight = load_lanes<type>(weights.at(r, i + k * kLanes));
#pragma GCC unroll 4
        for (std::size_t t = 0; t < kTokens; ++t)
          sums[t][r][k] += load_lanes<NumberType::kF32>(x.at(t, i + k * kLanes)) * weight;
      }
    }
  }

  for (std::size_t t = 0; t < kTokens; ++t) {
    for (std::size_t r = 0; r < out.num; ++r) out.first[t * out.token_size + r] = total(sums[t][r]);
  }
}

// kTokens tokens at a time, as long as there are so many, and then half as many.
template <std::size_t kTokens, NumberType type>
void multiply_tokens(Outputs out, Rows<type> weights, Floats x, std::size_t num_tokens) {
  for (; num_tokens >= kTokens; num_tokens -= kTokens) {
    multiply_rows<kTokens>(out, weights, x);
    out.first += kTokens * out.token_size;
    x.numbers = x.at(kTokens, 0);
  }
  if constexpr (kTokens > 1) multiply_tokens<kTokens / 2>(out, weights, x, num_tokens);
}

// x, with each row filled up with zeros to this width: a product with a zero changes no sum.
std::vector<float> padded(std::span<const float> x, std::size_t size, std::size_t width) {
  std::vector<float> rows(x.size() / size * width);
  for (std::size_t t = 0; t * size < x.size(); ++t)
    std::ranges::copy(x.subspan(t * size, size), &rows[t * width]);
  return rows;
}

// One call of multiply.
class Product {
 public:
  Product(std::span<float> out, const Tensor& weights, std::span<const float> x)
      : out_(out),
        weights_(weights),
        num_tokens_(x.size() / num_inputs()),
        width_(rounded_up(num_inputs(), kSums)),
        copies_(width_ == num_inputs() ? std::vector<float>() : padded(x, num_inputs(), width_)),
        x_(floats(copies_.empty() ? x.data() : copies_.data(), width_)) {}

  // The outputs from begin to end. Why a group of tokens at a time: their numbers are read again
  // for every kOutputsAtOnce outputs, and those of a group stay in the cache.
  void compute(std::size_t begin, std::size_t end) const {
    const std::size_t num_in_cache =
        std::max(kTokensAtOnce, kNumbersInCache / width_ / kTokensAtOnce * kTokensAtOnce);
    for (std::size_t token = 0; token < num_tokens_; token += num_in_cache)
      compute_tokens(token, std::min(num_in_cache, num_tokens_ - token), begin, end);
  }

 private:
  std::size_t num_outputs() const { return weights_.shape[0]; }
  std::size_t num_inputs() const { return weights_.shape[1]; }

  void compute_tokens(std::size_t first_token,
                      std::size_t num_tokens,
                      std::size_t begin,
                      std::size_t end) const {
    const Floats x = {x_.at(first_token, 0), width_};
    std::vector<float> widened;  // empty as long as no row is widened
    for (std::size_t output = begin; output < end; output += kOutputsAtOnce) {
      const Outputs out = {&out_[first_token * num_outputs() + output],
                           std::min(kOutputsAtOnce, end - output), num_outputs()};
      // Why widened first: many tokens use them.
      if (num_tokens > 2 * kTokensAtOnce || width_ != num_inputs() || out.num < kOutputsAtOnce) {
        widened.resize(kOutputsAtOnce * width_);
        for (std::size_t r = 0; r < out.num; ++r)
          widen(std::span(widened).subspan(r * width_, num_inputs()), weights_,
                (output + r) * num_inputs());
        multiply_tokens<kTokensAtOnce>(out, floats(widened.data(), width_), x, num_tokens);
      } else {
        multiply_stored(out, output, x, num_tokens);
      }
    }
  }

  void multiply_stored(const Outputs& out,
                       std::size_t output,
                       Floats x,
                       std::size_t num_tokens) const {
    with_type(weights_.type, [&]<NumberType type> {
      const Rows<type> rows = {weights_.numbers, width_};
      multiply_tokens<kTokensAtOnce>(out, Rows<type>{rows.at(output, 0), width_}, x, num_tokens);
    });
  }

  std::span<float> out_;
  const Tensor& weights_;
  std::size_t num_tokens_;
  std::size_t width_;          // num_inputs, rounded up
  std::vector<float> copies_;  // x with padded rows; empty if it needs no padding
  Floats x_;
};

}  // namespace

void Matrix::multiply(std::span<float> out, std::span<const float> x, Workers& workers) const {
  const Product product(out, weights_, x);
  if (workers.num_threads() == 1 || out.size() * num_inputs() < kWorthThreads)
    return product.compute(0, num_outputs());

  const std::size_t num_parts = kPartsPerThread * workers.num_threads();
  const std::size_t share = rounded_up((num_outputs() + num_parts - 1) / num_parts, kOutputsAtOnce);
  workers.run(num_parts, [&](std::size_t part) {
    const std::size_t begin = std::min(part * share, num_outputs());
    product.compute(begin, std::min(begin + share, num_outputs()));
  });
}

}  // namespace kv

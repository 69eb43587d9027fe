#pragma once
// Scores that are far apart in one call: the maximum of one head is not that of the next, and many
// small weights are together a large one.

#include <cmath>
#include <numeric>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"
#include "grader/harness/sweep.h"

namespace kv::grader {

// Keys are 1, so the query of a head is its score. Each head has the mean of the values.
template <class Way, class Real>
void expect_heads_far_apart() {
  std::vector<Real> keys(4, 1), values = {1, 2, 3, 6}, query = {-1000, 1000, 0}, out(3, -7);
  const std::vector<BlockId> table = {1, 0};
  log_start("", {"", "three query heads, of the scores {0}, values 1 2 3 6"}, query);
  log_step({Way::kCall, "attend to {0} tokens, table {1}"}, 4, table);
  Way::template attend<Real>(out, query, {{2, 2, 1, 1}, keys, values}, table, 4, 1);
  log_returned();
  expect_near(out, {3, 3, 3}, tolerance_of<Real>(16), 1);
}

// The first or the last token has the score 0 and the value 0; all others, far below, the value 1.
template <class Real, class Test>
void expect_many_small_weights(Test& test, Real distance) {
  constexpr std::size_t kBlockSize = 500, kNumBlocks = 10, kNumTokens = kBlockSize * kNumBlocks;
  std::vector<BlockId> table(kNumBlocks);
  std::iota(table.begin(), table.end(), 0);
  const double sum = (kNumTokens - 1) * std::exp(-double{distance}), mean = sum / (1 + sum);
  for (const std::size_t place : {std::size_t{0}, kNumTokens - 1}) {
    std::vector<Real> keys(kNumTokens, -distance), values(kNumTokens, 1);
    keys[place] = values[place] = 0;
    log_start("", {"", "token {0} scores 0 and has the value 0, all others -{1} and 1"}, place,
              distance);
    expect_near(test.template attend_with_ones<Real>(
                    KVCache<Real>{{kNumBlocks, kBlockSize, 1, 1}, keys, values}, table, kNumTokens),
                {mean, mean}, tolerance_of<Real>(kNumTokens), 1);
  }
}

// Two scores, 0 and far below, of one block or of two. The value with the small weight is so large
// that both count alike.
template <class Real, class Test>
void expect_small_weights_count(Test& test, Real distance) {
  const Real large = std::exp(distance);
  for (const std::size_t block_size : {1u, 2u}) {
    for (const bool is_first : {true, false}) {
      std::vector<Real> keys(4), values(4);
      const std::vector<BlockId> table = {1, 0};
      for (std::size_t i = 0; i < 2; ++i) {
        const auto block = static_cast<std::size_t>(table[i / block_size]);
        const std::size_t slot = block * block_size + i % block_size;
        const bool is_small = (i == 0) == is_first;
        keys[slot] = is_small ? -distance : 0;
        values[slot] = is_small ? large : 1;
      }
      log_start("", {"", "scores 0 and -{0}, their values 1 and e^{0}, block_size {1}"}, distance,
                block_size);
      const KVCache<Real> cache = {{2, block_size, 1, 1},
                                   std::span(keys).first(2 * block_size),
                                   std::span(values).first(2 * block_size)};
      const double mean = 2 / (1 + std::exp(-double{distance}));
      expect_near(test.template attend_with_ones<Real>(cache, table, 2), {mean, mean},
                  tolerance_of<Real>(16), 1);
    }
  }
}

// Four blocks of two tokens. Scores grow by `growth` from block to block, which may be negative.
template <class Real, class Test>
void expect_growing_blocks(Test& test, Real growth) {
  const std::vector<BlockId> table = {2, 0, 3, 1};
  std::vector<Real> keys(8), values(8);
  long double sum = 0, out = 0;
  const long double largest = std::fmax(-growth, 2 * growth);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t slot = static_cast<std::size_t>(table[i / 2]) * 2 + i % 2;
    keys[slot] = growth * (static_cast<Real>(i / 2) - 1);
    values[slot] = static_cast<Real>(i + 1);
    const long double weight = std::exp(static_cast<long double>(keys[slot]) - largest);
    sum += weight;
    out += weight * static_cast<long double>(values[slot]);
  }
  log_start("", {"", "scores grow by {0} from block to block, values 1 to 8"}, growth);
  const auto mean = static_cast<double>(out / sum);
  expect_near(test.template attend_with_ones<Real>({{4, 2, 1, 1}, keys, values}, table, 8),
              {mean, mean}, tolerance_of<Real>(16), 1);
}

template <class Real, class Test>
void expect_any_growth(Test& test) {
  for (const Real growth : growths<Real>()) {
    if (testing::Test::HasFailure()) return;
    expect_growing_blocks(test, growth);
    expect_growing_blocks(test, -growth);
    if (growth <= most_that_exp_takes<Real>()) expect_small_weights_count(test, growth);
  }
}

}  // namespace kv::grader

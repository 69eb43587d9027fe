#pragma once
// Scores that are far apart in one call: the maximum of one head is not that of the next, and many
// small weights are together a large one.

#include <cmath>
#include <numeric>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"

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

}  // namespace kv::grader

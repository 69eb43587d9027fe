// Rung 3, its parts: one token more, and parts that are merged.

#include <gtest/gtest.h>

#include <cmath>

#include "06-cuda-kernel/kernels.h"
#include "06-cuda-kernel/tests/partials.h"

namespace kv::grader {
namespace {

void expect_state(const std::vector<float>& scores, const std::vector<float>& values) {
  const DeviceArray<float> device_scores(scores), device_values(values_in_dims(values)),
      state(unwritten(2 + kStateDims));
  log_step({"add_token(scores, values)", "tokens with scores {0} and values from {1} on"}, scores,
           values);
  in_both_orders(
      [&] {
        launch_add_token(state.data(), device_scores.data(), device_values.data(),
                         static_cast<int>(scores.size()));
        return state.read();
      },
      [&](const std::vector<float>& yours) { expect_token_state(yours, scores, values, 1e-5); });
}

TEST(AddToken, KeepsMaximumSumAndOut) {
  SPEC("the state is as if all tokens were there at once", "6.9 add_token",
       "Adds a token to the state of an online softmax");
  expect_state({0.5f}, {3});
  if (!HasFailure()) expect_state({1, 0.5f, -2}, {1, 2, 4});
}

TEST(AddToken, ALargerScoreRescales) {
  SPEC("a larger score rescales the sums so far", "6.9 add_token",
       "the largest score so far, the sum of", "exp(score - largest) times value");
  expect_state({-1, 0, 2, 1, 5}, {1, 2, 4, 8, 16});
}

TEST(AddToken, SmallWeightsAddUp) {
  SPEC("no token is too small to count", "6.9 add_token",
       "Adds a token to the state of an online softmax");
  std::vector<float> scores(41, -14), values(41, 1);  // weights of 8e-7
  scores[0] = 0;
  expect_state(scores, values);
  // A weight of 1e-11, and a value that makes up for it.
  if (!HasFailure()) expect_state({0, -25}, {1, 1e11f});
  if (!HasFailure()) expect_state({-26, 0}, {1e11f, 1});
}

TEST(AddToken, StaysFinite) {
  SPEC("the state is finite for any finite scores", "6.9 add_token",
       "finite for any finite scores");
  expect_state({-3000, 3000, 0, 3000}, {1, 2, 4, 8});
  if (!HasFailure()) expect_state({-3000, -2999}, {1, 2});
  if (!HasFailure()) expect_state({-3e38f, -3e38f}, {1, 2});
  if (!HasFailure()) expect_state({-3e38f, 3e38f, -3e38f}, {1, 2, 4});
}

constexpr float kNotWritten = std::numeric_limits<float>::quiet_NaN();

// Sums that are not written, and the out of parts without tokens: the simulator reports a read.
void expect_merged(const std::vector<float>& max_logits,
                   const std::vector<float>& exp_sums,
                   const std::vector<float>& tmp_out,
                   const std::vector<double>& expected) {
  const DeviceArray<float> maxima(max_logits), out(unwritten(expected.size()));
  DeviceArray<float> sums(exp_sums.size()), outs(tmp_out.size());
  for (std::size_t i = 0; i < max_logits.size(); ++i) {
    if (!std::isnan(exp_sums[i])) sums.write(i, &exp_sums[i], 1);
    if (!std::isinf(max_logits[i]))
      outs.write(i * expected.size(), &tmp_out[i * expected.size()], expected.size());
  }
  log_step({"merge_partials(max_logits, exp_sums, tmp_out)", "largest {0}, sums {1}, out {2}"},
           max_logits, exp_sums, tmp_out);
  in_both_orders(
      [&] {
        launch_merge_partials(out.data(), maxima.data(), sums.data(), outs.data(),
                              static_cast<int>(max_logits.size()),
                              static_cast<int>(expected.size()));
        return widened(out.read());
      },
      [&](const std::vector<double>& yours) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
          EXPECT_HOLDS(near(yours[i], expected[i], 1e-5))
              << "dimension " << i << ": expected " << draw(expected[i]) << ", yours is "
              << draw(yours[i]);
        }
      });
}

const float kNothing = -std::numeric_limits<float>::infinity();

TEST(MergePartials, WeightsPartsByTheirMaximum) {
  SPEC("a part counts with exp(its largest score - the largest of all)", "6.10 merge_partials",
       "exp(its largest score - the largest of all)");
  const auto log2 = static_cast<float>(std::log(2.0));
  expect_merged({1}, {2}, {6, 4}, {3, 2});
  // Weights 1/2 and 1: (6/2 + 8) / (2/2 + 3), (4/2 + 2) / (2/2 + 3).
  if (!HasFailure()) expect_merged({500, 500 + log2}, {2, 3}, {6, 4, 8, 2}, {2.75, 1});
  if (!HasFailure()) expect_merged({500, -500}, {2, 3}, {6, 4, 8, 2}, {3, 2});
  if (!HasFailure()) expect_merged({-500, 500}, {2, 3}, {6, 4, 9, 3}, {3, 1});
  if (!HasFailure()) expect_merged({-3e38f, -3e38f}, {2, 3}, {6, 4, 9, 1}, {3, 1});
  // A part that is 14 below the maximum has many tokens.
  const double small = std::exp(-14) * 1e6;
  if (!HasFailure()) expect_merged({2, -12}, {1, 1e6f}, {1, 3e6f}, {(1 + 3 * small) / (1 + small)});
  // One that is 25 below it has large values.
  if (!HasFailure()) expect_merged({2, -23}, {1, 1}, {1, 1e11f}, {1 + std::exp(-25) * 1e11});
}

TEST(MergePartials, AnyNumberOfParts) {
  SPEC("the parts may be more than the lanes of a warp, or the threads of a block",
       "6.10 merge_partials", "from states of parts of the tokens");
  for (const int num_partials : {33, 200}) {
    std::vector<float> maxima, outs;
    double sum = 0, out = 0;
    for (int i = 0; i < num_partials; ++i) {
      maxima.push_back(static_cast<float>(i % 7));
      outs.push_back(static_cast<float>(i));
      sum += std::exp(i % 7 - 6);
      out += std::exp(i % 7 - 6) * i;
    }
    expect_merged(maxima, std::vector<float>(maxima.size(), 1), outs, {out / sum});
    if (HasFailure()) return;
  }
}

TEST(MergePartials, EmptyPartsAddNothing) {
  SPEC("a part without tokens adds nothing; without any tokens the result is 0",
       "6.10 merge_partials", "adds nothing", "its sum and out are not read",
       "Without any tokens the result is 0");
  expect_merged({kNothing, 1, kNothing}, {0, 2, 0}, {0, 0, 6, 4, 0, 0}, {3, 2});
  if (!HasFailure())
    expect_merged({kNothing, 1, kNothing}, {kNotWritten, 2, kNotWritten}, {0, 0, 6, 4, 0, 0},
                  {3, 2});
  if (!HasFailure()) expect_merged({kNothing, kNothing}, {kNotWritten, kNotWritten}, {0, 0}, {0});
  if (!HasFailure()) expect_merged({}, {}, {}, {0});
}

}  // namespace
}  // namespace kv::grader

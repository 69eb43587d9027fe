// Rung 6, its parts: products, weights, sums.

#include <gtest/gtest.h>

#include <cmath>

#include "06-cuda-kernel/tests/rungs.h"

namespace kv::grader {
namespace {

// All tokens from first_token on are one partition.
template <class Scalar>
void expect_products(BatchShape shape, std::size_t first_token = 0) {
  if (testing::Test::HasFailure()) return;
  DecodeBatch<Scalar> batch(std::move(shape));
  const PagedAttentionParams<Scalar> params = batch.params();
  const auto heads = static_cast<std::size_t>(params.num_heads);
  const DeviceArray<float> scores(unwritten(batch.num_seqs() * heads * kMaxTokens));
  log_step({"score_tiles(first_token)", "the products of each query head, tokens from {0} on"},
           first_token);
  in_both_orders(
      [&] {
        launch_score_tiles(scores.data(), params, static_cast<int>(first_token));
        return scores.read();
      },
      [&](const std::vector<float>& yours) {
        for (std::size_t i = 0; i < yours.size(); ++i) {
          const std::size_t token = first_token + i % kMaxTokens, row = i / kMaxTokens;
          const std::size_t seq = row / heads, head = row % heads;
          if (token >= static_cast<std::size_t>(batch.shape().seq_lens[seq])) continue;
          if (!is_near(double{yours[i]}, product_of(batch, seq, head, token), batch.tolerance(),
                       "query . key of sequence " + std::to_string(seq) + ", query head " +
                           std::to_string(head) + ", token " + std::to_string(token))) {
            return;
          }
        }
      });
}

TEST(ScoreTiles, ProductsOfAllHeads) {
  SPEC("all query heads of a KV head are multiplied at once", "6.20 score_tiles",
       "The products of all query heads", "without the scale");
  expect_products<__half>({16, 1, 64, 16, {40}});
  expect_products<__half>({6, 2, 128, 16, {300, 17, 1}});
  expect_products<__nv_bfloat16>({4, 1, 64, 8, {130}});
  expect_products<__half>({2, 1, 64, 16, {250, 130}}, 48);
}

struct Weights {
  std::vector<double> weights;  // [num_rows, kMaxTensorPartition]
  std::vector<float> max_logits, exp_sums;
};

// Between the smallest numbers of a type, which have fewer digits.
template <class Scalar>
constexpr double kSmallestStep = 0x1p-24;
template <>
inline constexpr double kSmallestStep<__nv_bfloat16> = 0x1p-133;

template <class Scalar>
void expect_row(const Weights& yours,
                std::size_t row,
                const std::vector<float>& scores,
                float scale) {
  const std::string of_row = " of " + std::to_string(scores.size()) + " tokens";
  const double largest = double{*std::ranges::max_element(scores)};
  is_near(double{yours.max_logits[row]}, double{scale} * largest,
          1e-6 * std::abs(double{scale} * largest), "the largest score" + of_row);
  double sum = 0;
  const std::size_t end = (scores.size() + kTileSize - 1) / kTileSize * kTileSize;
  for (std::size_t i = 0; i < end && !testing::Test::HasFailure(); ++i) {
    const bool is_token = i < scores.size();
    const double weight = is_token ? std::exp(double{scale} * (double{scores[i]} - largest)) : 0;
    const double tolerance =
        (kRounding<Scalar> + 1e-4) * weight + (is_token ? kSmallestStep<Scalar> : 0);
    is_near(yours.weights[row * kMaxTokens + i], weight, tolerance,
            "weight " + std::to_string(i) + of_row);
    sum += yours.weights[row * kMaxTokens + i];
  }
  is_near(double{yours.exp_sums[row]}, sum, 1e-6 * sum, "the sum of the stored weights" + of_row);
}

template <class Scalar>
void expect_weights(const std::vector<std::vector<float>>& rows, float scale) {
  if (testing::Test::HasFailure()) return;
  const DeviceArray<Scalar> weights(unwritten<Scalar>(rows.size() * kMaxTokens));
  const DeviceArray<float> maxima(unwritten(rows.size())), sums(unwritten(rows.size()));
  DeviceArray<float> scores(rows.size() * kMaxTokens);
  std::vector<int> lens;
  for (const std::vector<float>& row : rows) {
    scores.write(lens.size() * kMaxTokens, row.data(), row.size());
    lens.push_back(static_cast<int>(row.size()));
  }
  const DeviceArray<int> num_tokens(lens);
  log_step({"weigh_scores(num_tokens, scale)", "rows of {0} scores, scale {1}"}, lens, scale);
  in_both_orders(
      [&] {
        launch_weigh_scores(weights.data(), maxima.data(), sums.data(), scores.data(),
                            num_tokens.data(), static_cast<int>(rows.size()), scale);
        return Weights{widened(weights.read()), maxima.read(), sums.read()};
      },
      [&](const Weights& yours) {
        for (std::size_t row = 0; row < rows.size(); ++row)
          expect_row<Scalar>(yours, row, rows[row], scale);
      });
}

// One score is the largest, the others are below it by up to 6.
std::vector<float> scores_with(std::size_t num_tokens, std::size_t largest_at) {
  std::vector<float> scores(num_tokens);
  for (std::size_t i = 0; i < num_tokens; ++i) scores[i] = 3 - static_cast<float>(i % 41) / 8;
  scores[largest_at] = 4;
  return scores;
}

TEST(WeighScores, WeightsAndState) {
  SPEC("a weight is exp(scale * (score - the largest)), stored as a Scalar", "6.21 weigh_scores",
       "Replaces the scores of a query head by their weights", "as Scalars",
       "the largest score, times scale");
  const std::vector<std::vector<float>> rows = {scores_with(1, 0),    scores_with(16, 7),
                                                scores_with(512, 33), scores_with(300, 299),
                                                scores_with(64, 1),   scores_with(47, 46)};
  expect_weights<__half>(rows, 1);
  expect_weights<__nv_bfloat16>(rows, 0.75f);
  expect_weights<__half>({{-3e4f, -3e4f, -2.9e4f}, {5e3f, -5e3f}}, 0.5f);
  expect_weights<__half>({{-3e37f, -3e37f}, {3e37f, -3e37f}}, 1);
  expect_weights<__nv_bfloat16>({{0, -25, -60}, {-25, 0}}, 1);  // a value may make up for 1e-11
}

TEST(WeighScores, NoTokenNoWeight) {
  SPEC("weights past the last token are 0 up to the end of its tile", "6.21 weigh_scores",
       "the weights of tokens that are none are 0");
  expect_weights<__half>({scores_with(1, 0), scores_with(17, 16), scores_with(250, 0)}, 1);
}

TEST(WeighScores, SumOfStoredWeights) {
  SPEC("exp_sum is the sum of the rounded weights", "6.21 weigh_scores",
       "the sum of the weights as they are stored");
  expect_weights<__nv_bfloat16>({scores_with(512, 100), scores_with(100, 99)}, 1);
}

// Weights of all query heads for the tokens from first_token on; 0 where no token is.
template <class Scalar>
std::vector<Scalar> random_weights(const DecodeBatch<Scalar>& batch, std::size_t first_token) {
  const auto heads = static_cast<std::size_t>(batch.shape().num_heads);
  Random random(3);
  auto weights = random_scalars<Scalar>(random, batch.num_seqs() * heads * kMaxTokens);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto seq_len = static_cast<std::size_t>(batch.shape().seq_lens[i / kMaxTokens / heads]);
    if (first_token + i % kMaxTokens >= seq_len) weights[i] = Scalar(0.0f);
  }
  return weights;
}

// Query head row of all sequences.
template <class Scalar>
bool has_near_sums(const DecodeBatch<Scalar>& batch,
                   const std::vector<double>& weights,
                   std::size_t first_token,
                   std::size_t row,
                   const float* yours) {
  const auto heads = static_cast<std::size_t>(batch.shape().num_heads);
  const std::size_t group = heads / static_cast<std::size_t>(batch.shape().num_kv_heads);
  const std::size_t seq = row / heads, head = row % heads;
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(batch.shape().head_size); ++dim) {
    double sum = 0;
    const auto seq_len = static_cast<std::size_t>(batch.shape().seq_lens[seq]);
    for (std::size_t token = first_token; token < seq_len; ++token) {
      sum += weights[row * kMaxTokens + token - first_token] *
             batch.value(seq, token, head / group, dim);
    }
    const std::string what = "sequence " + std::to_string(seq) + ", query head " +
                             std::to_string(head) + ", dimension " + std::to_string(dim);
    if (!is_near(double{yours[dim]}, sum, batch.tolerance(), what)) return false;
  }
  return true;
}

template <class Scalar>
void expect_value_sums(BatchShape shape, std::size_t first_token = 0) {
  if (testing::Test::HasFailure()) return;
  DecodeBatch<Scalar> batch(std::move(shape));
  const PagedAttentionParams<Scalar> params = batch.params();
  const auto head_size = static_cast<std::size_t>(params.head_size);
  const std::size_t num_rows = batch.num_seqs() * static_cast<std::size_t>(params.num_heads);
  const std::vector<Scalar> weights = random_weights(batch, first_token);
  const DeviceArray<Scalar> device_weights(weights);
  const DeviceArray<float> out(unwritten(num_rows * head_size));
  log_step({"sum_values(first_token)", "the sums of each query head, tokens from {0} on"},
           first_token);
  in_both_orders(
      [&] {
        launch_sum_values(out.data(), device_weights.data(), params, static_cast<int>(first_token));
        return out.read();
      },
      [&](const std::vector<float>& yours) {
        const std::vector<double> wide = widened(weights);
        for (std::size_t row = 0; row < num_rows; ++row)
          if (!has_near_sums(batch, wide, first_token, row, &yours[row * head_size])) return;
      });
}

TEST(SumValues, SumsOfAllHeads) {
  SPEC("each warp sums its tiles for all query heads", "6.22 sum_values",
       "The sums of weight times value");
  expect_value_sums<__half>({16, 1, 64, 16, {40}});
  expect_value_sums<__half>({6, 2, 128, 16, {300, 17, 1}});
  expect_value_sums<__nv_bfloat16>({4, 1, 64, 8, {130}});
  expect_value_sums<__half>({2, 1, 64, 16, {250, 130}}, 48);
}

// Sequences of 40 and 16 tokens have tokens in four partitions of 16.
TEST(TensorAttention, WritesEachPartOnce) {
  SPEC("one lane writes a number of a partial result, and none one without tokens", Tensor::kStep,
       "Each number of a partial result is written once",
       "nothing is written for partitions without tokens");
  constexpr std::uint64_t kNumHeads = 3, kHeadSize = 64, kNumParts = 4, kNumSeqs = 2;
  DecodeBatch<__half> batch({kNumHeads, 1, kHeadSize, 16, {40, 16}});
  const PagedAttentionParams<__half> params = batch.params();
  log_step({Tensor::kCall, Tensor::kCall});
  const TrafficSums sums = sums_of(traffic_of([&] { Tensor::launch(params, 16); }));
  constexpr std::uint64_t kBytesOfParts = kNumParts * kNumHeads * (kHeadSize + 2) * sizeof(float);
  constexpr std::uint64_t kBytesOfOut = kNumSeqs * kNumHeads * kHeadSize * sizeof(__half);
  EXPECT_HOLDS(sums.bytes_written == kBytesOfParts + kBytesOfOut)
      << "your kernels write " << sums.bytes_written << " bytes to device memory; out has "
      << kBytesOfOut << ", and the partial results of " << kNumParts << " partitions have "
      << kBytesOfParts;
}

TEST(TensorAttention, RefusesWhatDoesNotFit) {
  SPEC("groups over 16, other partition sizes and too few partitions are refused", Tensor::kStep,
       "larger groups", "no multiple of kTile", "fewer partitions than max_seq_len needs");
  DecodeBatch<__half> batch({17, 1, 64, 16, {48}});
  PagedAttentionParams<__half> params = batch.params();
  Partials two(params, 2);
  const auto launch = [&](int partition_size) {
    launch_paged_attention_tensor(two.results(), params, partition_size);
  };
  EXPECT_REFUSED(launch(32)) << "a group of 17 query heads";
  params.num_heads = 16;
  launch(32);
  launch(kMaxTensorPartition);
  for (const int size : {-16, 0, 24, 40, kMaxTensorPartition + kTile}) {
    EXPECT_REFUSED(launch(size)) << "partitions of " << size << " tokens";
  }
  two.fill_with_nan();
  EXPECT_REFUSED(launch(16)) << "48 tokens in 2 partitions of 16";
  EXPECT_HOLDS(std::isnan(two.max_logits().front())) << "the refused call has written a result";
}

}  // namespace
}  // namespace kv::grader

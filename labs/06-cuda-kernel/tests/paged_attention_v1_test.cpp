// Rung 2, its parts: rows, scores, weights.

#include <gtest/gtest.h>

#include "06-cuda-kernel/kernels.h"
#include "06-cuda-kernel/tests/decode_batch.h"
#include "06-cuda-kernel/tests/simulated.h"

namespace kv::grader {
namespace {

using Batch = DecodeBatch<float>;

void expect_rows(Batch& batch) {
  const PagedAttentionParams<float> params = batch.params();
  const auto max_seq_len = static_cast<std::size_t>(params.max_seq_len);
  const auto kv_heads = static_cast<std::size_t>(params.num_kv_heads);
  const DeviceArray<std::int64_t> rows(
      std::vector<std::int64_t>(batch.num_seqs() * max_seq_len * kv_heads, -1));
  log_step({"row_of_token()", "the row of each token and KV head"});
  in_both_orders(
      [&] {
        launch_row_of_token(rows.data(), params);
        return rows.read();
      },
      [&](const std::vector<std::int64_t>& yours) {
        for (std::size_t i = 0; i < yours.size(); ++i) {
          const std::size_t seq = i / kv_heads / max_seq_len;
          const auto token = static_cast<int>(i / kv_heads % max_seq_len);
          if (token >= batch.shape().seq_lens[seq]) continue;
          const std::size_t entry = seq * static_cast<std::size_t>(params.max_num_blocks_per_seq) +
                                    static_cast<std::size_t>(token / params.block_size);
          const std::int64_t slot =
              std::int64_t{batch.tables()[entry]} * params.block_size + token % params.block_size;
          const auto kv_head = static_cast<std::int64_t>(i % kv_heads);
          ASSERT_SAME(yours[i], (slot * params.num_kv_heads + kv_head) * params.head_size)
              << "sequence " << seq << ", token " << token << ", KV head " << kv_head;
        }
      });
}

TEST(RowOfToken, GoesThroughTheTable) {
  SPEC("block_table[token / block_size] * block_size + token % block_size is the slot",
       "6.5 row_of_token", "the row of a token and a KV head begins");
  Batch one({1, 1, 64, 8, {20}});
  expect_rows(one);
  if (HasFailure()) return;
  Batch several(with_spare_entries(3, {4, 2, 128, 16, {20, 0, 33}}));
  expect_rows(several);
}

TEST(RowOfToken, Needs64Bits) {
  SPEC("a large cache has more numbers than 32 bits can count", "6.5 row_of_token", "in 64 bits");
  Batch batch({8, 8, 128, 32, {40}});
  PagedAttentionParams<float> params = batch.params();
  const std::vector<int> table = {70'000, 200'000'000, -1};  // 6.4 billion slots
  const DeviceArray<int> device_table(table);
  params.block_tables = device_table.data();
  const DeviceArray<std::int64_t> rows(std::vector<std::int64_t>(40 * 8, -1));
  log_step({"row_of_token(table)", "block table {0}, 8 KV heads of 128, block_size 32"}, table);
  in_both_orders(
      [&] {
        launch_row_of_token(rows.data(), params);
        return rows.read();
      },
      [&](const std::vector<std::int64_t>& yours) {
        ASSERT_SAME(yours[0], 70'000LL * 32 * 8 * 128) << "token 0, KV head 0";
        ASSERT_SAME(yours[39 * 8 + 7], ((200'000'000LL * 32 + 7) * 8 + 7) * 128)
            << "token 39, KV head 7";
      });
}

// What a place past the last token holds before the launch, and after it.
constexpr float kPastTheEnd = 7;

double expected_score(const Batch& batch, std::size_t seq, std::size_t head, std::size_t token) {
  const BatchShape& shape = batch.shape();
  if (token >= static_cast<std::size_t>(shape.seq_lens[seq])) return kPastTheEnd;
  const auto group = static_cast<std::size_t>(shape.num_heads / shape.num_kv_heads);
  double sum = 0;
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(shape.head_size); ++dim) {
    sum += batch.query(seq, head, dim) * batch.key(seq, token, head / group, dim);
  }
  return double{batch.scale()} * sum;
}

void expect_near_scores(const Batch& batch, const std::vector<float>& yours) {
  const auto max_seq_len = static_cast<std::size_t>(batch.max_seq_len());
  const auto heads = static_cast<std::size_t>(batch.shape().num_heads);
  for (std::size_t i = 0; i < yours.size(); ++i) {
    const std::size_t token = i % max_seq_len;
    const std::size_t head = i / max_seq_len % heads;
    const std::size_t seq = i / max_seq_len / heads;
    const double score = expected_score(batch, seq, head, token);
    if (near(double{yours[i]}, score, batch.tolerance())) continue;
    ADD_FAILURE() << "sequence " << seq << ", query head " << head << ", token " << token
                  << ": expected " << draw(score) << ", yours is " << draw(yours[i]);
    return;
  }
}

// scale: 0 is the usual one, 1 / sqrt(head_size).
void expect_scores(BatchShape shape, float scale = 0) {
  Batch batch(std::move(shape), scale);
  const PagedAttentionParams<float> params = batch.params();
  const std::vector<float> before(
      static_cast<std::size_t>(params.num_seqs * params.num_heads * params.max_seq_len),
      kPastTheEnd);
  DeviceArray<float> scores(before.size());
  log_step({"score_tokens()", "the scores of each query head"});
  in_both_orders(
      [&] {
        scores.write(0, before.data(), before.size());
        launch_score_tokens(scores.data(), params);
        return scores.read();
      },
      [&](const std::vector<float>& yours) { expect_near_scores(batch, yours); });
}

TEST(ScoreTokens, ScaledDotProducts) {
  SPEC("a score is scale * query . key", "6.6 score_tokens", "scale * query . key",
       "nothing after them");
  expect_scores({2, 2, 64, 16, {21}});
  if (!HasFailure()) expect_scores({1, 1, 64, 16, {3, 0, 150}});
  if (!HasFailure()) expect_scores({1, 1, 64, 16, {5}}, 0.75f);
}

TEST(ScoreTokens, GroupsShareAKVHead) {
  SPEC("query head h reads KV head h / (num_heads / num_kv_heads)", "6.6 score_tokens",
       "Query head h reads KV head h / (num_heads / num_kv_heads)");
  expect_scores({4, 1, 64, 16, {9}});
  if (!HasFailure()) expect_scores({6, 2, 64, 16, {3, 9}});
  if (!HasFailure()) expect_scores({34, 2, 64, 16, {3}});
}

TEST(ScoreTokens, HeadAndBlockSizes) {
  SPEC("head_size is 64 or 128, block_size 8, 16 or 32", "6.6 score_tokens",
       "of each of its seq_len tokens");
  for (const int block_size : {8, 16, 32}) {
    expect_scores({2, 2, 128, block_size, {block_size + 1}});
    if (HasFailure()) return;
  }
}

// Rows of equal length, with scores that rise by `step`; the last ones belong to no token.
struct ScoreRows {
  ScoreRows(std::vector<int> lens, float first, float step)
      : seq_lens(std::move(lens)),
        max_seq_len(static_cast<std::size_t>(*std::ranges::max_element(seq_lens)) + 3),
        scores(seq_lens.size() * max_seq_len) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] = first + step * static_cast<float>(i % max_seq_len);
    }
  }

  std::size_t len(std::size_t row) const { return static_cast<std::size_t>(seq_lens[row]); }

  double weight(std::size_t row, std::size_t i) const {
    const float* const begin = &scores[row * max_seq_len];
    if (i >= len(row)) return double{begin[i]};
    double sum = 0;
    for (std::size_t j = 0; j < len(row); ++j) sum += std::exp(double{begin[j]} - double{begin[i]});
    return 1 / sum;
  }

  std::vector<int> seq_lens;
  std::size_t max_seq_len;
  std::vector<float> scores;
};

// Small weights have to be as exact as large ones. kSmallest: below it, float has fewer digits.
bool near_weight(double yours, double weight, std::size_t num_terms) {
  constexpr double kSmallest = 1e-37;
  const double error = std::abs(yours - weight);
  return error <= double{sum_tolerance<float>(num_terms)} * std::abs(weight) + kSmallest;
}

void expect_near_weights(const ScoreRows& rows, const std::vector<float>& yours) {
  for (std::size_t i = 0; i < yours.size(); ++i) {
    const std::size_t row = i / rows.max_seq_len;
    const double weight = rows.weight(row, i % rows.max_seq_len);
    if (near_weight(double{yours[i]}, weight, rows.max_seq_len)) continue;
    ADD_FAILURE() << "row " << row << " of " << rows.len(row) << " scores, weight "
                  << i % rows.max_seq_len << ": expected " << draw(weight) << ", yours is "
                  << draw(yours[i]);
    return;
  }
}

void expect_weights(const std::vector<int>& seq_lens, float first, float step) {
  const ScoreRows rows(seq_lens, first, step);
  DeviceArray<float> scores(rows.scores.size());
  const DeviceArray<int> device_seq_lens(seq_lens);
  log_step({"softmax_in_block(seq_lens)", "rows of {0} scores, from {1} on in steps of {2}"},
           seq_lens, first, step);
  in_both_orders(
      [&] {
        scores.write(0, rows.scores.data(), rows.scores.size());
        launch_softmax_in_block(scores.data(), device_seq_lens.data(),
                                static_cast<int>(seq_lens.size()),
                                static_cast<int>(rows.max_seq_len));
        return scores.read();
      },
      [&](const std::vector<float>& yours) { expect_near_weights(rows, yours); });
}

// Places of no token have no score here: the simulator finds each read of one.
void expect_tokens_read_alone(const std::vector<int>& seq_lens) {
  const ScoreRows rows(seq_lens, 1, 0.125f);
  DeviceArray<float> scores(rows.scores.size());
  for (std::size_t row = 0; row < seq_lens.size(); ++row)
    scores.write(row * rows.max_seq_len, &rows.scores[row * rows.max_seq_len], rows.len(row));
  const DeviceArray<int> device_seq_lens(seq_lens);
  log_step({"softmax_in_block(read)", "rows of {0} scores, and nothing after them"}, seq_lens);
  expect_no_findings(seen_of(simt::ThreadOrder::kForward, false,
                             [&] {
                               launch_softmax_in_block(scores.data(), device_seq_lens.data(),
                                                       static_cast<int>(seq_lens.size()),
                                                       static_cast<int>(rows.max_seq_len));
                             }),
                     "");
}

TEST(SoftmaxInBlock, WeightsAreSharesOfTheSum) {
  SPEC("a weight is exp(score - the largest), over the sum", "6.7 softmax_in_block",
       "over the sum of these");
  expect_weights({5, 128, 33}, -1, 0.125f);
  if (!HasFailure()) expect_tokens_read_alone({5, 128, 33});
}

TEST(SoftmaxInBlock, MoreTokensThanThreads) {
  SPEC("a thread may own several scores", "6.7 softmax_in_block",
       "Replaces the first seq_len scores");
  expect_weights({129, 300}, 1, -0.25f);
  if (!HasFailure()) expect_weights({129, 300}, 1, 1);  // the largest score is the last
  if (!HasFailure()) expect_weights({2'000}, 1, 0.001f);
  if (!HasFailure()) expect_weights({12'032}, 1, 1e-4f);  // as many as 6.8 takes
}

TEST(SoftmaxInBlock, LargeScoresStayFinite) {
  SPEC("the largest score is subtracted before exp", "6.7 softmax_in_block",
       "exp(score - the largest)");
  expect_weights({40}, 10'000, 1);
  if (!HasFailure()) expect_weights({40}, -10'000, 1);
  if (!HasFailure()) expect_weights({40}, -3e38f, 0);
}

TEST(SoftmaxInBlock, NoTokensNoWeights) {
  SPEC("without tokens it does nothing", "6.7 softmax_in_block", "Without tokens it does nothing");
  expect_weights({0, 1, 0}, 2, 1);
  if (!HasFailure()) expect_tokens_read_alone({0, 1, 0});
}

}  // namespace
}  // namespace kv::grader

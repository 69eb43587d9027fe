// Rungs 4 and 5, their parts: tiles, states, partitions.

#include <gtest/gtest.h>

#include <cmath>

#include "06-cuda-kernel/tests/rungs.h"

namespace kv::grader {
namespace {

// What a tile has where nothing was written.
constexpr float kUntouched = 100;

template <class Scalar>
void expect_tile_numbers(const DecodeBatch<Scalar>& batch,
                         int num_tokens,
                         const std::vector<double>& yours) {
  const auto kv_heads = static_cast<std::size_t>(batch.shape().num_kv_heads);
  const auto head_size = static_cast<std::size_t>(batch.shape().head_size);
  const auto block_size = static_cast<std::size_t>(batch.shape().block_size);
  for (std::size_t i = 0; i < yours.size(); ++i) {
    const std::size_t dim = i % head_size;
    const std::size_t token = i / head_size % block_size;
    const bool is_value = i / head_size / block_size % 2 == 1;
    const std::size_t kv_head = i / head_size / block_size / 2 % kv_heads;
    const std::size_t seq = i / head_size / block_size / 2 / kv_heads;
    const bool is_loaded = token < static_cast<std::size_t>(num_tokens);
    const double expected = !is_loaded ? double{kUntouched}
                            : is_value ? batch.value(seq, token, kv_head, dim)
                                       : batch.key(seq, token, kv_head, dim);
    ASSERT_SAME(yours[i], expected)
        << (is_value ? "value" : "key") << " tile of sequence " << seq << ", KV head " << kv_head
        << ", token " << token << ", dimension " << dim;
  }
}

template <class Scalar>
void expect_tiles(BatchShape shape, int num_tokens) {
  DecodeBatch<Scalar> batch(std::move(shape));
  const PagedAttentionParams<Scalar> params = batch.params();
  const int tile_size = 2 * params.block_size * params.head_size;
  const std::vector<Scalar> before(
      static_cast<std::size_t>(params.num_seqs * params.num_kv_heads * tile_size),
      Scalar(kUntouched));
  DeviceArray<Scalar> tiles(before.size());
  log_step({"load_tile(num_tokens)", "the first {0} tokens of each sequence"}, num_tokens);
  in_both_orders(
      [&] {
        tiles.write(0, before.data(), before.size());
        launch_load_tile(tiles.data(), params, num_tokens);
        return widened(tiles.read());
      },
      [&](const std::vector<double>& yours) { expect_tile_numbers(batch, num_tokens, yours); });
}

template <class Scalar>
void expect_wide_copies() {
  DecodeBatch<Scalar> batch({2, 1, 128, 16, {16}});
  const PagedAttentionParams<Scalar> params = batch.params();
  const DeviceArray<Scalar> tile(2 * 16 * 128);
  const TrafficSums sums = sums_of(traffic_of([&] { launch_load_tile(tile.data(), params, 16); }));
  expect_wide_reads(sums, sizeof(Scalar), "your tile needs: copy_vec");
}

TEST(LoadTile, CopiesTheTokens) {
  SPEC("the keys are at the front of the tile, the values after block_size keys", "6.12 load_tile",
       "Copies what one KV head has in the first num_tokens slots",
       "16 bytes for each thread at a time", "the values after block_size keys",
       "these slots are not read");
  expect_tiles<float>({4, 2, 64, 16, {16, 40}}, 16);
  if (!testing::Test::HasFailure()) expect_tiles<__half>({2, 1, 128, 8, {8}}, 8);
  if (!testing::Test::HasFailure()) expect_tiles<float>({2, 2, 64, 16, {5, 6}}, 5);
  if (!testing::Test::HasFailure()) expect_wide_copies<float>();
  if (!testing::Test::HasFailure()) expect_wide_copies<__half>();
}

// One part of the tokens of a sequence.
struct Part {
  std::size_t seq;
  int first, end;

  std::string text() const {
    return "tokens " + std::to_string(first) + " to " + std::to_string(end - 1) + " of sequence " +
           std::to_string(seq);
  }
};

bool is_near(double yours, double expected, double tolerance, const std::string& what) {
  if (near(yours, expected, tolerance)) return true;
  ADD_FAILURE() << what << ": expected " << draw(expected) << ", yours is " << draw(yours);
  return false;
}

// at(head): where the state of this query head is in `partials`.
template <class Scalar, class At>
void expect_state(const DecodeBatch<Scalar>& batch, const Partials& partials, Part part, At at) {
  const auto head_size = static_cast<std::size_t>(batch.shape().head_size);
  const std::vector<float> sums = partials.exp_sums(), maxima = partials.max_logits();
  const std::vector<float> outs = partials.tmp_out();
  const auto expected = batch.dense(part.seq, static_cast<std::size_t>(part.first),
                                    static_cast<std::size_t>(part.end));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::size_t head = i / head_size;
    const double largest = batch.largest_score(part.seq, head, part.first, part.end);
    const std::string of_head = part.text() + ", query head " + std::to_string(head);
    if (!is_near(double{maxima[at(head)]}, largest, batch.tolerance(),
                 "largest score of " + of_head)) {
      return;
    }
    const double yours =
        double{outs[at(head) * head_size + i % head_size]} / double{sums[at(head)]};
    const std::string dim = ", dimension " + std::to_string(i % head_size);
    if (!is_near(yours, expected[i], batch.tolerance(), "out / exp_sum of " + of_head + dim))
      return;
  }
}

// Partition `partition` of each sequence that has tokens from `first` on.
template <class Scalar>
void expect_partition(
    const DecodeBatch<Scalar>& batch, const Partials& partials, int partition, int first, int end) {
  const auto heads = static_cast<std::size_t>(batch.shape().num_heads);
  const auto num_partitions = static_cast<std::size_t>(partials.results().num_partitions);
  for (std::size_t seq = 0; seq < batch.num_seqs(); ++seq) {
    const int seq_end = std::min(end, batch.shape().seq_lens[seq]);
    if (first >= seq_end) continue;
    expect_state(batch, partials, {seq, first, seq_end}, [&](std::size_t head) {
      return (seq * heads + head) * num_partitions + static_cast<std::size_t>(partition);
    });
  }
}

template <class Scalar>
void expect_states(BatchShape shape, int first, int end) {
  DecodeBatch<Scalar> batch(std::move(shape));
  const PagedAttentionParams<Scalar> params = batch.params();
  const Partials states(params, 1);
  log_step({"attend_tokens(first_token, end_token)", "tokens from {0} on, before {1}"}, first, end);
  in_both_orders(
      [&] {
        launch_attend_tokens(states.results(), params, first, end);
        return 0;
      },
      [&](int) { expect_partition(batch, states, 0, first, end); });
}

TEST(AttendTokens, StatesOfAGroup) {
  SPEC("each query head of the group has its own state", "6.13 attend_tokens",
       "One warp for each query head");
  expect_states<float>({4, 2, 64, 16, {40}}, 0, 40);
  if (!testing::Test::HasFailure()) expect_states<__half>({8, 1, 128, 16, {20}}, 0, 20);
}

TEST(AttendTokens, BeginsAndEndsAnywhere) {
  SPEC("tokens may begin and end inside a block", "6.13 attend_tokens", "begin and end anywhere");
  expect_states<float>({2, 1, 64, 16, {50}}, 16, 32);
  if (!testing::Test::HasFailure()) expect_states<float>({2, 1, 64, 16, {50}}, 7, 45);
}

TEST(AttendTokens, NoTokens) {
  SPEC("without tokens the largest score is -INFINITY and the sum 0", "6.13 attend_tokens",
       "Without tokens the largest score is -INFINITY");
  DecodeBatch<float> batch({2, 1, 64, 16, {5}});
  const Partials states(batch.params(), 1);
  const PagedAttentionParams<float> params = batch.params();
  log_step({"attend_tokens(first_token, end_token)", "tokens from {0} on, before {1}"}, 5, 5);
  in_both_orders(
      [&] {
        launch_attend_tokens(states.results(), params, 5, 5);
        return 0;
      },
      [&](int) {
        for (const float largest : states.max_logits())
          EXPECT_SAME(largest, -std::numeric_limits<float>::infinity()) << "the largest score";
        for (const float sum : states.exp_sums()) EXPECT_SAME(sum, 0.0f) << "the sum of weights";
        for (const float sum : states.tmp_out()) EXPECT_SAME(sum, 0.0f) << "a sum of values";
      });
}

void expect_partitions(int partition_size) {
  DecodeBatch<float> batch({4, 2, 64, 16, {75, 32}});
  const PagedAttentionParams<float> params = batch.params();
  const int num_partitions = params.max_seq_len / partition_size + 1;
  const Partials partials(params, num_partitions);
  log_step({"paged_attention_v2(partition_size)", "partitions of {0} tokens"}, partition_size);
  in_both_orders(
      [&] {
        launch_paged_attention_v2_partitions(partials.results(), params, partition_size);
        return 0;
      },
      [&](int) {
        for (int i = 0; i < num_partitions; ++i) {
          expect_partition(batch, partials, i, partition_size * i, partition_size * (i + 1));
        }
      });
}

void expect_blocks_of_partitions() {
  DecodeBatch<float> batch({1, 1, 64, 16, {96, 64}});
  PagedAttentionParams<float> params = batch.params();
  constexpr int kSize = 32;
  const Partials partials(params, 3);
  log_step({"paged_attention_v2(partition_size)", "partitions of {0} tokens"}, kSize);
  OwnBlocks blocks;
  for (const Part part : {Part{0, 0, 32}, {0, 32, 64}, {0, 64, 96}, {1, 0, 32}, {1, 32, 64}}) {
    std::vector<int> tables = batch.tables();
    const std::size_t row = part.seq * static_cast<std::size_t>(params.max_num_blocks_per_seq);
    tables[row + static_cast<std::size_t>(part.first / params.block_size)] = 0;  // not written
    const DeviceArray<int> device_tables(tables);
    params.block_tables = device_tables.data();
    blocks.add(part.text(),
               [&] { launch_paged_attention_v2_partitions(partials.results(), params, kSize); });
  }
}

TEST(Partitions, OneStateForEach) {
  SPEC("a partition is partition_size tokens, the last one may have fewer",
       "6.15 paged_attention_v2", "may have fewer tokens", "one thread block for each");
  expect_partitions(32);
  if (!HasFailure()) expect_partitions(20);  // begins and ends inside a block
  if (!HasFailure()) expect_blocks_of_partitions();
}

TEST(Partitions, EmptyOnesAreNotWritten) {
  SPEC("a partition past the end is not written", "6.15 paged_attention_v2",
       "those after it are not written");
  DecodeBatch<float> batch({2, 1, 64, 16, {3, 0}});
  const PagedAttentionParams<float> params = batch.params();
  constexpr int kNumPartitions = 2;
  const std::vector<float> before(2 * 2 * kNumPartitions, 7);
  DeviceArray<float> sums(before), maxima(before);
  const DeviceArray<float> outs(std::vector<float>(before.size() * 64, 7));
  log_step({"paged_attention_v2(partition_size)", "partitions of {0} tokens"}, 16);
  in_both_orders(
      [&] {
        launch_paged_attention_v2_partitions(
            {sums.data(), maxima.data(), outs.data(), kNumPartitions}, params, 16);
        return 0;
      },
      [&](int) {
        for (const std::size_t at : {1u, 3u, 4u, 5u, 6u, 7u}) {
          const std::string of = "[" + std::to_string(at) + "], of a partition without tokens";
          ASSERT_SAME(sums.read()[at], 7.0f) << "exp_sums" << of;
          ASSERT_SAME(maxima.read()[at], 7.0f) << "max_logits" << of;
          ASSERT_SAME(outs.read()[at * 64], 7.0f) << "tmp_out" << of;
        }
      });
}

TEST(Partitions, RefusesTooFew) {
  SPEC("fewer partitions than max_seq_len needs are refused", "6.15 paged_attention_v2",
       "fewer partitions than max_seq_len needs are refused");
  DecodeBatch<float> batch({1, 1, 64, 16, {48}});
  PagedAttentionParams<float> params = batch.params();
  for (const int size : {1, 16}) {
    launch_paged_attention_v2_partitions(Partials(params, 48 / size).results(), params, size);
  }
  const Partials two(params, 2);
  EXPECT_REFUSED(launch_paged_attention_v2_partitions(two.results(), params, 16))
      << "48 tokens in 2 partitions of 16";
  params.max_seq_len = 0;
  EXPECT_REFUSED(launch_paged_attention_v2_partitions(two.results(), params, 0))
      << "partitions of 0 tokens";
}

}  // namespace
}  // namespace kv::grader

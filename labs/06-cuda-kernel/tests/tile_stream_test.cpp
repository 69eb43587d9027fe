// Rung 6, its tiles: copies that are on their way while a warp works.

#include <gtest/gtest.h>

#include "06-cuda-kernel/tests/rungs.h"

namespace kv::grader {
namespace {

template <class Scalar>
std::size_t kv_rows(const DecodeBatch<Scalar>& batch) {
  return batch.num_seqs() * static_cast<std::size_t>(batch.shape().num_kv_heads);
}

// yours[KV head of a sequence, stride]: from `begin` on rows of head_size numbers, which have to be
// the keys or values of the tokens from first_token on, and 0 from end_token on.
template <class Scalar>
void expect_rows(const DecodeBatch<Scalar>& batch,
                 const std::vector<double>& yours,
                 std::size_t stride,
                 bool is_value,
                 std::size_t num_rows,
                 std::size_t first_token) {
  const auto head_size = static_cast<std::size_t>(batch.shape().head_size);
  const auto kv_heads = static_cast<std::size_t>(batch.shape().num_kv_heads);
  for (std::size_t i = 0; i < kv_rows(batch) * num_rows * head_size; ++i) {
    const std::size_t dim = i % head_size;
    const std::size_t row = i / head_size % num_rows;
    const std::size_t kv_row = i / head_size / num_rows;
    const std::size_t seq = kv_row / kv_heads, kv_head = kv_row % kv_heads;
    const std::size_t token = first_token + row;
    const bool is_token = token < static_cast<std::size_t>(batch.shape().seq_lens[seq]);
    const double expected = !is_token  ? 0
                            : is_value ? batch.value(seq, token, kv_head, dim)
                                       : batch.key(seq, token, kv_head, dim);
    const std::size_t begin = kv_row * stride + (is_value ? num_rows * head_size : 0);
    ASSERT_SAME(yours[begin + row * head_size + dim], expected)
        << (is_value ? "value" : "key") << " of sequence " << seq << ", KV head " << kv_head
        << ", token " << token << ", dimension " << dim
        << (is_token ? "" : ", which the sequence does not have");
  }
}

// One tile of each sequence. Slots past its end are not written.
template <class Scalar>
void expect_tiles(BatchShape shape, int first_token) {
  if (testing::Test::HasFailure()) return;
  DecodeBatch<Scalar> batch(std::move(shape));
  const PagedAttentionParams<Scalar> params = batch.params();
  const std::size_t stride = 2 * kTileSize * static_cast<std::size_t>(params.head_size);
  const DeviceArray<Scalar> tiles(unwritten<Scalar>(kv_rows(batch) * stride));
  log_step({"start_tile(first_token)", "tokens from {0} on"}, first_token);
  in_both_orders(
      [&] {
        launch_start_tile(tiles.data(), params, first_token, first_token + kTile, true);
        return widened(tiles.read());
      },
      [&](const std::vector<double>& yours) {
        for (const bool is_value : {false, true})
          expect_rows(batch, yours, stride, is_value, kTileSize,
                      static_cast<std::size_t>(first_token));
      });
}

TEST(StartTile, CopiesTheTokens) {
  SPEC("the rows of 16 tokens are copied, and the batch is closed", "6.18 start_tile",
       "Starts to copy the rows of kTile tokens", "closes the batch");
  expect_tiles<__half>({4, 2, 64, 16, {16, 40}}, 0);
  expect_tiles<__half>({2, 1, 128, 8, {40}}, 16);
  expect_tiles<__nv_bfloat16>({1, 1, 64, 32, {100}}, 24);
  expect_tiles<__half>({2, 2, 64, 16, {16}, kFarBlock}, 0);
}

TEST(StartTile, RowsPastTheEndAre0) {
  SPEC("a row without a token is 0, and its slot is not read", "6.18 start_tile",
       "Rows of tokens from end_token on become 0", "their slots are not read");
  expect_tiles<__half>({2, 2, 64, 16, {21, 32, 17, 0}}, 16);
  expect_tiles<__half>({1, 1, 128, 8, {24, 25}}, 16);
  expect_tiles<__half>({1, 1, 128, 8, {20}}, 16);  // the table ends with the block of token 23
}

TEST(StartTile, DoesNotWait) {
  SPEC("the copies are on their way when it returns, 16 bytes each", "6.18 start_tile",
       "it does not wait", "Each copy is 16 bytes");
  DecodeBatch<__half> batch({2, 1, 128, 16, {16}});
  const PagedAttentionParams<__half> params = batch.params();
  const DeviceArray<__half> tiles(2 * kTileSize * 128);
  log_step({"start_tile(first_token)", "tokens from {0} on"}, 0);
  const auto launch = [&](bool waits) { launch_start_tile(tiles.data(), params, 0, kTile, waits); };
  expect_wide_reads(sums_of(traffic_of([&] { launch(true); })), sizeof(__half),
                    "your tile needs: __pipeline_memcpy_async");
  EXPECT_HOLDS(!place_of_finding([&] { launch(false); }).empty())
      << "the tile is there before anyone waits for it: it has to be copied by "
         "__pipeline_memcpy_async";
}

// All tokens from first_token on are one partition.
template <class Scalar>
void expect_stream(BatchShape shape, int first_token = 0) {
  if (testing::Test::HasFailure()) return;
  DecodeBatch<Scalar> batch(std::move(shape));
  const PagedAttentionParams<Scalar> params = batch.params();
  const auto head_size = static_cast<std::size_t>(params.head_size);
  const std::size_t stride = 2 * kMaxTokens * head_size;
  const DeviceArray<Scalar> tiles(unwritten<Scalar>(kv_rows(batch) * stride));
  log_step({"next(first_token)", "all tiles of all warps, tokens from {0} on"}, first_token);
  in_both_orders(
      [&] {
        launch_tile_stream(tiles.data(), params, first_token, false);
        return widened(tiles.read());
      },
      [&](const std::vector<double>& yours) {
        const std::size_t num_tiles =
            (static_cast<std::size_t>(batch.max_seq_len() - first_token) + kTileSize - 1) /
            kTileSize;
        for (const bool is_value : {false, true})
          expect_rows(batch, yours, stride, is_value, num_tiles * kTileSize,
                      static_cast<std::size_t>(first_token));
      });
}

TEST(TileStream, KeysThenValues) {
  SPEC("a warp gets the tiles of its keys, and then those of its values", "6.19 next",
       "Returns the next tile of a warp when it has arrived",
       "The tiles of keys come first, then those of values");
  for (const int seq_len : {1, 64, 200}) expect_stream<__half>({4, 2, 64, 16, {seq_len, seq_len}});
  expect_stream<__half>({1, 1, 128, 32, {150}});
  expect_stream<__half>({2, 1, 64, 16, {250}}, 48);
}

TEST(TileStream, TheOneAfterIsOnItsWay) {
  SPEC("while a tile is used, the next one is copied", "6.19 next",
       "the one after it is on its way");
  DecodeBatch<__half> batch({1, 1, 64, 16, {128}});
  const PagedAttentionParams<__half> params = batch.params();
  const DeviceArray<__half> tiles(2 * kMaxTokens * 64);
  log_step({"next(first_token)", "all tiles of all warps, tokens from {0} on"}, 0);
  traffic_of([&] { launch_tile_stream(tiles.data(), params, 0, false); });
  if (HasFailure()) return;
  EXPECT_HOLDS(
      !place_of_finding([&] { launch_tile_stream(tiles.data(), params, 0, true); }).empty())
      << "the tile after the one that next() returns is there, too: next() has to wait until "
         "kNumStages - 1 batches are left, not until all are there";
}

}  // namespace
}  // namespace kv::grader

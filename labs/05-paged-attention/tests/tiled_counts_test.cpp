// The optimized kernel with more of something than 8 or 16 bits can count.

#include <gtest/gtest.h>

#include <algorithm>

#include "05-paged-attention/tests/tiled_batch.h"

namespace kv::grader::tiled_counts {
namespace {

// Keys are 0, so the result is the mean of the values. Block 0 has values of 0, block 1 values
// of 1.
struct TwoBlocks {
  TwoBlocks() { std::fill(tiles.begin() + 3 * 256, tiles.end(), 1.0f); }

  std::vector<float> attend(const std::vector<BlockId>& tables,
                            const std::vector<std::size_t>& seq_lens,
                            std::size_t num_splits) {
    const std::vector<float> query(seq_lens.size() * 16, 1);
    std::vector<float> out(query.size(), -7);
    log_step({"paged_attention_tiled(num_seqs, num_blocks, num_splits)",
              "paged_attention_tiled: {0} sequences, {1} blocks, {2} splits"},
             seq_lens.size(), tables.size(), num_splits);
    paged_attention_tiled<float>(out, query, {2, 1, 16, tiles}, tables, seq_lens, 1,
                                 {1, num_splits});
    log_returned();
    return out;
  }

  std::vector<float> tiles = std::vector<float>(2 * 2 * 256);
};

// Two tokens of values 0 and 1. The first heads weight them equally, the others only the second.
void expect_many_heads() {
  constexpr std::size_t kNumHeads = 70'000, kBegin = 66'000;
  std::vector<float> tiles(2 * 256), query(kNumHeads * 16), out(query.size());
  tiles[1] = 1;                             // the key of token 1, dimension 0
  std::fill_n(&tiles[256 + 16], 16, 1.0f);  // its values
  for (std::size_t head = kBegin; head < kNumHeads; ++head) query[head * 16] = 100;
  log_step({"paged_attention_tiled(num_heads)", "paged_attention_tiled: {0} heads"}, kNumHeads);
  paged_attention_tiled<float>(out, query, {1, 1, 16, tiles}, std::vector<BlockId>{0},
                               std::vector<std::size_t>{2}, 1);
  log_returned();
  EXPECT_SAME(std::ranges::count(out, 0.5f), 16 * kBegin)
      << "numbers 0.5, of the heads that weight both tokens equally";
  EXPECT_SAME(std::ranges::count(std::span(out).subspan(16 * kBegin), 1.0f),
              16 * (kNumHeads - kBegin))
      << "numbers 1, of the other heads";
}

// One token. The values of a KV head are its number; threads take a KV head each.
void expect_many_kv_heads() {
  constexpr std::size_t kNumHeads = 300;
  std::vector<float> tiles(kNumHeads * 512), query(kNumHeads * 16), out(query.size()), expected;
  for (std::size_t head = 0; head < kNumHeads; ++head) {
    std::fill_n(&tiles[head * 512 + 256], 16, static_cast<float>(head));
    expected.insert(expected.end(), 16, static_cast<float>(head));
  }
  log_step({"paged_attention_tiled(num_kv_heads)", "paged_attention_tiled: {0} KV heads"},
           kNumHeads);
  paged_attention_tiled<float>(out, query, {1, kNumHeads, 16, tiles}, std::vector<BlockId>{0},
                               std::vector<std::size_t>{1}, 1, {2, 1});
  log_returned();
  EXPECT_SAME(out, expected) << "out of a head is the number of its KV head";
}

TEST(AttentionTiled, TakesMoreThan16Bits) {
  SPEC("70,000 sequences, heads or splits, 600 blocks, 300 KV heads", "5.13 read_part");
  allow_steps(40'000'000);
  constexpr std::size_t kMany = 70'000, kBegin = 66'000;
  TwoBlocks memory;
  std::vector<BlockId> tables(kMany, 0);
  std::fill(tables.begin() + kBegin, tables.end(), 1);
  std::vector<std::size_t> seq_lens(kMany);
  std::fill(seq_lens.begin() + kBegin, seq_lens.end(), 1);
  const auto by_sequence = memory.attend(tables, seq_lens, 1);
  EXPECT_SAME(std::ranges::count(by_sequence, 1.0f), 16 * (kMany - kBegin))
      << "numbers 1, of the last sequences";
  EXPECT_SAME(memory.attend(std::vector<BlockId>(kMany, 1), {16}, kMany + 1),
              std::vector<float>(16, 1))
      << "one block, and many splits";
  const auto half =
      memory.attend({tables.begin() + kBegin - 300, tables.begin() + kBegin + 300}, {600 * 16}, 2);
  for (const float number : half) {
    EXPECT_HOLDS(near(number, 0.5f, 1e-5f))
        << "expected 0.5, the mean over 600 blocks, yours is " << draw(number);
  }
  expect_many_heads();
  expect_many_kv_heads();
}

}  // namespace
}  // namespace kv::grader::tiled_counts

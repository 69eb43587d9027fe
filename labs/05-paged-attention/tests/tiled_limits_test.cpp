// What the optimized kernel refuses: all that paged_attention_batch refuses, and plans of nothing.
// And what it takes: more of something than 8 or 16 bits can count.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "05-paged-attention/tests/tiled_batch.h"
#include "kv/require.h"

namespace kv::grader::tiled_refusals {
namespace {

// A call on a cache of two blocks, whose parts are changed one by one.
template <class Stored>
struct TiledCall {
  std::size_t num_blocks = 2;
  std::size_t num_kv_heads = 1;
  std::size_t head_dim = 16;
  std::size_t num_numbers = 2 * 512;  // in the tiles
  std::size_t query_size = 2 * 16;
  std::size_t out_size = 2 * 16;
  std::vector<BlockId> tables = {1, 0, 0, -1};
  std::vector<std::size_t> seq_lens = {20, 16};
  WorkPlan plan = {};

  // A refused call must not have written into out.
  void attend() const {
    std::vector<Stored> tiles(num_numbers, narrow<Stored>(1));
    std::vector<float> out(out_size, -7);
    log_step({"paged_attention_tiled(seq_lens, block_tables)",
              "paged_attention_tiled: seq_lens {0}, block_tables {1}"},
             seq_lens, tables);
    try {
      paged_attention_tiled<Stored>(out, std::vector<float>(query_size, 1),
                                    {num_blocks, num_kv_heads, head_dim, tiles}, tables, seq_lens,
                                    1, plan);
    } catch (const ContractViolation&) {
      EXPECT_SAME(std::ranges::count(out, -7.0f), std::ssize(out)) << "nothing is written then";
      throw;
    }
    log_returned();
  }
};

template <class Stored>
void expect_refuses_sizes() {
  TiledCall<Stored>{}.attend();
  EXPECT_REFUSED(TiledCall<Stored>{.num_numbers = 1023}.attend()) << "a number too few";
  EXPECT_REFUSED(TiledCall<Stored>{.num_numbers = 512}.attend()) << "tiles of one block of two";
  EXPECT_REFUSED(TiledCall<Stored>{.num_numbers = 1025}.attend()) << "a number too many";
  EXPECT_REFUSED(TiledCall<Stored>{.num_blocks = (std::size_t{1} << 55) + 2}.attend())
      << "as many blocks as make a product of 2^64 + 1024";
  EXPECT_REFUSED(TiledCall<Stored>{.num_blocks = 4, .head_dim = 8}.attend()) << "head_dim 8";
  EXPECT_REFUSED(TiledCall<Stored>{.out_size = 3 * 16}.attend()) << "out is larger than query";
  EXPECT_REFUSED(TiledCall<Stored>{.out_size = 16}.attend()) << "out is smaller than query";
  EXPECT_REFUSED(TiledCall<Stored>{.query_size = 40, .out_size = 40}.attend())
      << "one head and a quarter for each sequence";
  EXPECT_REFUSED(
      TiledCall<Stored>{.num_kv_heads = 2, .num_numbers = 2048, .query_size = 96, .out_size = 96}
          .attend())
      << "3 query heads on 2 KV heads";
}

template <class Stored>
void expect_refuses_tables() {
  EXPECT_REFUSED(TiledCall<Stored>{.tables = {1, 0, 0}}.attend()) << "rows of unequal length";
  EXPECT_REFUSED(TiledCall<Stored>{.tables = {1, 0}}.attend()) << "20 tokens need two blocks";
  EXPECT_REFUSED(TiledCall<Stored>{.tables = {1, 2, 0, 0}}.attend()) << "there are two blocks";
  EXPECT_REFUSED(TiledCall<Stored>{.tables = {1, -1, 0, 0}}.attend()) << "-1 in the first row";
  EXPECT_REFUSED(TiledCall<Stored>{.tables = {1, 0, -1, 0}}.attend()) << "-1 in the second row";
  for (const std::size_t less : {0u, 5u}) {
    const std::size_t many = std::numeric_limits<std::size_t>::max() - less;
    EXPECT_REFUSED(TiledCall<Stored>{.seq_lens = {many, 16}}.attend())
        << "2^64 - " << less + 1 << " tokens";
  }
  TiledCall<Stored> no_sequences{.query_size = 0, .out_size = 0, .tables = {}, .seq_lens = {}};
  no_sequences.attend();
  no_sequences.tables = {1};
  EXPECT_REFUSED(no_sequences.attend()) << "a row of block_tables, and no sequence";
  no_sequences.tables = {};
  no_sequences.query_size = no_sequences.out_size = 16;
  EXPECT_REFUSED(no_sequences.attend()) << "a row of out and query, and no sequence";
}

template <class Stored>
void expect_refuses_plans() {
  EXPECT_REFUSED(TiledCall<Stored>{.plan = {0, 1}}.attend()) << "no threads";
  EXPECT_REFUSED(TiledCall<Stored>{.plan = {1, 0}}.attend()) << "no splits";
  EXPECT_REFUSED((TiledCall<Stored>{
      .query_size = 0, .out_size = 0, .tables = {}, .seq_lens = {}, .plan = {0, 1}}
                      .attend()))
      << "no threads, and no sequences";
}

TEST(AttentionTiled, RefusesWhatItCannotRead) {
  SPEC("all that a batch refuses, plans of nothing, and other head_dims than multiples of 16",
       "5.13 read_part", "as in paged_attention_batch", "0 threads or 0 splits");
  expect_refuses_sizes<float>();
  expect_refuses_sizes<BFloat16>();
  expect_refuses_tables<float>();
  expect_refuses_tables<BFloat16>();
  expect_refuses_plans<float>();
  expect_refuses_plans<BFloat16>();
}

}  // namespace
}  // namespace kv::grader::tiled_refusals

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

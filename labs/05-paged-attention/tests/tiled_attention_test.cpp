// The optimized kernel: the same answers, from tiles.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "05-paged-attention/tests/far_memory.h"
#include "05-paged-attention/tests/page_trap.h"
#include "05-paged-attention/tests/tiled_batch.h"
#include "grader/harness/sweep.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

// Keys are 0, the values of block 0 are 0, those of block 1 are 3.
void expect_mean_with_a_block_twice() {
  std::vector<float> tiles(2 * 2 * 256), out(16);
  std::fill(tiles.begin() + 3 * 256, tiles.end(), 3.0f);
  const std::vector<BlockId> table = {1, 1, 0};
  log_step({"paged_attention_tiled(block_tables)", "paged_attention_tiled of 48 tokens, table {0}"},
           table);
  paged_attention_tiled<float>(out, std::vector<float>(16, 1), {2, 1, 16, tiles}, table,
                               std::vector<std::size_t>{48}, 1);
  log_returned();
  expect_near(out, std::vector<double>(16, 2), double{sum_tolerance<float>(48)}, 16);
}

// Two tokens of equal scores. Dimensions 0 to 2 of the second have these values in KV head 0; all
// else is 0 there, and 1 in KV head 1.
void expect_infinity_and_nan_show_in_tiles() {
  using Limits = std::numeric_limits<float>;
  std::vector<float> expected = {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()};
  std::vector<float> tiles(4 * 256), out(2 * 16);
  std::ranges::copy(expected, tiles.begin() + 256 + 16);
  std::fill_n(&tiles[3 * 256], 2 * 16, 1.0f);
  expected.resize(16, 0.0f);
  expected.resize(out.size(), 1.0f);
  log_step("paged_attention_tiled of infinite values and of NaN in one of two KV heads");
  paged_attention_tiled<float>(out, std::vector<float>(out.size(), 1), {1, 2, 16, tiles},
                               std::vector<BlockId>{0}, std::vector<std::size_t>{2}, 1);
  log_returned();
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_HOLDS(is_same_number(out[i], expected[i]))
        << "query head " << i / 16 << ", dimension " << i % 16 << ": expected " << draw(expected[i])
        << ", yours is " << draw(out[i]);
  }
}

TEST(AttentionTiled, EqualsDenseAttention) {
  SPEC("tiles change nothing: ragged lengths, groups of any size", "5.13 read_part", "on tiles");
  TiledBatch<float>({4, 1, 32, {16, 0, 1, 15, 17, 100, 255, 257}}).expect_dense({});
  for (const std::size_t num_heads : {2u, 4u, 6u, 10u, 16u, 34u, 40u, 62u, 64u}) {
    TiledBatch<float>({num_heads, 2, 64, {40, 7}}).expect_dense({});
    TiledBatch<BFloat16>({num_heads, 2, 32, {40, 7}}).expect_dense({});
  }
  for (const float scale : {-0.3f, 0.0f, 3.0f}) {
    TiledBatch<float>({4, 1, 16, {5, 40}, 1, scale}).expect_dense({});
    TiledBatch<BFloat16>({4, 1, 16, {5, 40}, 1, scale}).expect_dense({});
  }
  expect_mean_with_a_block_twice();
  expect_infinity_and_nan_show_in_tiles();
}

TEST(AttentionTiled, ReadsBFloat16) {
  SPEC("keys and values in bfloat16, sums in float", "5.13 read_part");
  TiledBatch<BFloat16>({8, 2, 128, {33, 300}}).expect_dense({});
}

TEST(AttentionTiled, SplitsAreMerged) {
  SPEC("a sequence that is read in parts gives the same result", "5.13 read_part");
  constexpr std::size_t kMax = std::numeric_limits<std::size_t>::max();
  for (const std::size_t num_splits : {std::size_t{2}, std::size_t{3}, std::size_t{8}, kMax}) {
    TiledBatch<float>({4, 2, 32, {250, 1, 0}}).expect_dense({2, num_splits});
    TiledBatch<BFloat16>({4, 2, 32, {250, 1, 0}}).expect_dense({2, num_splits});
    TiledBatch<float>({4, 2, 32, {0, 0, 0}}).expect_dense({2, num_splits});
    TiledBatch<float>({4, 2, 32, {250, 1, 0}, 1, 0.3f, 5}).expect_dense({2, num_splits});
  }
}

// One head group over 12 blocks, read by the steps before this one: a state for each split, merged
// in their order.
template <class Stored>
std::vector<float> merged_by_hand(TiledBatch<Stored>& batch, std::size_t num_splits) {
  const std::vector<float> query = batch.scaled_query();
  std::vector<AttentionState<float>> merged(kHeadsAtOnce, AttentionState<float>(32));
  for (std::size_t split = 0; split < num_splits; ++split) {
    std::vector<AttentionState<float>> states(kHeadsAtOnce, AttentionState<float>(32));
    for (std::size_t i = 0; i < 12 / num_splits; ++i) {
      const Stored* tile = batch.tile(split * (12 / num_splits) + i);
      attend_tile<Stored>(tile, tile, query.data(), kTileTokens,
                          std::span<AttentionState<float>, kHeadsAtOnce>(states));
    }
    for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
      merge_attn_states(merged[head], states[head]);
    }
  }
  std::vector<float> out;
  for (const AttentionState<float>& state : merged) {
    for (const float number : state.out) out.push_back(number / state.sum);
  }
  return out;
}

template <class Stored>
void expect_states_of_splits() {
  TiledBatch<Stored> batch({4, 1, 32, {12 * kTileTokens}, 8});
  for (const std::size_t num_splits : {2u, 3u, 4u, 6u}) {
    EXPECT_SAME(batch.attend({1, num_splits}), merged_by_hand(batch, num_splits))
        << num_splits << " splits, one thread: not the bits of " << num_splits << " states, merged";
  }
}

TEST(AttentionTiled, EachSplitHasItsOwnStates) {
  SPEC("splits are read into states of their own, first to last, and these are merged",
       "5.13 read_part", "states of its own", "added first to last");
  expect_states_of_splits<float>();
  expect_states_of_splits<BFloat16>();
}

template <class Stored>
void expect_equal_placements() {
  const Call call = {8, 2, 32, {50, 0, 16, 33}};
  TiledBatch<Stored> first(call, 7, 1), second(call, 7, 2);
  for (const WorkPlan plan : {WorkPlan{1, 1}, WorkPlan{2, 3}}) {
    EXPECT_SAME(first.attend(plan), second.attend(plan)) << "two placements, two results";
  }
}

TEST(AttentionTiled, PlacementNeverShows) {
  SPEC("I11: where the blocks are never shows in the result, not in the last bit",
       "5.13 read_part");
  expect_equal_placements<float>();
  expect_equal_placements<BFloat16>();
}

template <class Stored>
void expect_finite() {
  for (const float number : TiledBatch<Stored>({4, 1, 32, {40, 3}, 1e4}).attend({1, 2})) {
    EXPECT_HOLDS(std::abs(number) <= 1.0001f)
        << "values are within 1, and so are their means, but yours is " << draw(number)
        << draw_reason_of_nan(number);
  }
}

// Two blocks: 16 tokens of the score 0, and 4 of the score `growth` or, for the second query head,
// -growth. In dimension 0 the values of the first block are so large that they show even if their
// weights are small, and in dimension 1 those of the second.
template <class Stored>
void expect_growing_tiles(float growth, std::size_t num_splits) {
  std::vector<Stored> tiles(2 * 512);
  const TiledKVCache<Stored> cache = {2, 1, 16, tiles};
  const double large = double{widen(narrow<Stored>(value_against(growth)))};
  std::vector<double> key(16), first(16, 1), second(16, 1);
  first[0] = second[1] = large;
  for (std::size_t slot = 0; slot < 16; ++slot) put(cache, slot, key, first, 0);
  key[0] = 1;
  for (std::size_t slot = 16; slot < 20; ++slot) put(cache, slot, key, second, 0);
  std::vector<float> query(2 * 16), out(2 * 16);
  query[0] = growth;
  query[16] = -growth;
  log_step({"paged_attention_tiled(growth, num_splits)",
            "paged_attention_tiled: scores grow by {0} from block to block, {1} splits"},
           growth, num_splits);
  paged_attention_tiled<Stored>(out, query, cache, std::vector<BlockId>{0, 1},
                                std::vector<std::size_t>{20}, 1, {1, num_splits});
  log_returned();
  std::vector<double> expected;
  for (const double score : {double{growth}, -double{growth}}) {
    const double before = 16 * std::exp(-std::fmax(score, 0));
    const double after = 4 * std::exp(std::fmin(score, 0));
    for (std::size_t d = 0; d < 16; ++d)
      expected.push_back((before * first[d] + after * second[d]) / (before + after));
  }
  expect_near(out, expected, double{sum_tolerance<float>(20)}, 16);
}

template <class Stored>
void expect_any_growth_of_blocks() {
  for (const float growth : growths<float>()) {
    for (const std::size_t num_splits : {1u, 2u}) {
      if (testing::Test::HasFailure()) return;
      clear_log();
      expect_growing_tiles<Stored>(growth, num_splits);
    }
  }
}

TEST(AttentionTiled, LargeLogitsStayFinite) {
  SPEC("logits of some 10,000 give a mean of the values", "5.13 read_part");
  expect_finite<float>();
  expect_finite<BFloat16>();
  expect_any_growth_of_blocks<float>();
  expect_any_growth_of_blocks<BFloat16>();
}

// A block is a page: 8 blocks, of which sequences of 20 and 16 tokens have three.
template <class Stored>
void expect_reads_its_blocks() {
  LockedPages memory(8);
  const std::size_t head_dim = LockedPages::page_size() / sizeof(Stored) / 2 / kTileTokens;
  const std::vector<BlockId> tables = {5, 2, 6, 4, 7, 1};
  const std::vector<std::size_t> seq_lens = {20, 16};
  for (const std::size_t num_splits : {1u, 2u, 5u}) {
    const std::vector<float> query(2 * 2 * head_dim, 1);
    std::vector<float> out(query.size());
    log_step({"paged_attention_tiled(num_splits)", "paged_attention_tiled, {0} splits"},
             num_splits);
    memory.expect_reads_only({5, 2, 4}, "block", [&] {
      paged_attention_tiled<Stored>(out, query, {8, 1, head_dim, memory.numbers<Stored>()}, tables,
                                    seq_lens, 1, {1, num_splits});
    });
    log_returned();
  }
}

// Keys are 0, so the result is the mean of the values: of the last block of very many.
template <class Stored>
void expect_far_tokens() {
  constexpr std::size_t kManyBlocks = (std::size_t{1} << 28) + 4;
  FarMemory<Stored> memory(kManyBlocks * 512, 512);
  std::fill(memory.real().begin() + 256, memory.real().end(), narrow<Stored>(3));
  const std::vector<BlockId> table = {kManyBlocks - 1};
  const std::vector<std::size_t> seq_lens = {16};
  std::vector<float> out(16);
  log_step("paged_attention_tiled: slots beyond 2^32");
  paged_attention_tiled<Stored>(out, std::vector<float>(16), {kManyBlocks, 1, 16, memory.view()},
                                table, seq_lens, 1);
  log_returned();
  EXPECT_SAME(out, std::vector<float>(16, 3)) << "the values of the last block are 3";
}

// Keys and values are 0. Three blocks hold 48 tokens.
template <class Stored>
void expect_reads_needed_entries() {
  LockedTables tables;
  std::vector<Stored> tiles(6 * 512, narrow<Stored>(0));
  std::vector<float> out(2 * 16);
  log_step("paged_attention_tiled of 48 tokens each, the other pages of their tables are locked");
  tables.expect_reads_needed([&](std::span<const BlockId> block_tables) {
    paged_attention_tiled<Stored>(out, std::vector<float>(out.size(), 1), {6, 1, 16, tiles},
                                  block_tables, std::vector<std::size_t>{48, 48}, 1);
  });
  log_returned();
}

TEST(AttentionTiled, ReadsNoOtherBlock) {
  SPEC("I11: a block without a token is not read, and one beyond slot 2^32 is", "5.13 read_part");
  expect_reads_its_blocks<float>();
  expect_reads_its_blocks<BFloat16>();
  expect_far_tokens<float>();
  expect_far_tokens<BFloat16>();
  expect_reads_needed_entries<float>();
  expect_reads_needed_entries<BFloat16>();
}

TEST(AttentionTiled, EqualsDenseAttentionInRandomShapes) {
  SPEC("tiles change nothing, in any shape", "5.13 read_part");
  for (std::uint64_t i = 0; i < 30 && !testing::Test::HasFailure(); ++i) {
    clear_log();
    Random random(history_seed() + i);
    const std::size_t num_kv_heads = 1 + random.below(3);
    Call call = {
        num_kv_heads * (1 + random.below(6)), num_kv_heads, 16 * (1 + random.below(5)), {}};
    call.seq_lens.resize(random.below(5));
    for (std::size_t& seq_len : call.seq_lens) seq_len = random.below(120);
    const WorkPlan plan = {1 + random.below(3), 1 + random.below(4)};
    TiledBatch<BFloat16>(call, history_seed() + i).expect_dense(plan);
  }
}

}  // namespace
}  // namespace kv::grader

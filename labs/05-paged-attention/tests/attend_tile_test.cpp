// One tile, four heads.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "05-paged-attention/tests/tiled_batch.h"
#include "grader/harness/sweep.h"

namespace kv::grader {
namespace {

// Four heads read the second of three tiles: token t has the key (t + 1, 0, ...) and the values
// 4 t + d. The tile that is read next is before it in memory.
template <class Stored>
std::vector<AttentionState<float>> read_tile(const std::vector<float>& first_numbers,
                                             std::size_t num_tokens,
                                             std::vector<AttentionState<float>> states) {
  std::vector<Stored> tiles(3 * 2 * 32 * 16, narrow<Stored>(kPoisons<float>[0]));
  const TiledKVCache<Stored> cache = {3, 1, 32, tiles};
  for (std::size_t t = 0; t < num_tokens; ++t) {
    std::vector<double> key(32), value(32);
    key[0] = static_cast<double>(t + 1);
    for (std::size_t d = 0; d < 32; ++d) value[d] = static_cast<double>(t * 4 + d);
    put(cache, kTileTokens + t, key, value, 0);
  }
  std::vector<float> query(kHeadsAtOnce * 32);
  for (std::size_t head = 0; head < kHeadsAtOnce; ++head) query[head * 32] = first_numbers[head];
  log_step({"attend_tile(num_tokens)", "attend_tile, {0} tokens"}, num_tokens);
  attend_tile<Stored>(cache.tile(1, 0), cache.tile(0, 0), query.data(), num_tokens,
                      std::span<AttentionState<float>, kHeadsAtOnce>(states));
  log_returned();
  return states;
}

std::vector<AttentionState<float>> nothing_read() {
  return std::vector<AttentionState<float>>(kHeadsAtOnce, AttentionState<float>(32));
}

void expect_float(const char* what, float actual, float expected) {
  if (near(actual, expected, sum_tolerance<float>(64))) return;
  ADD_FAILURE() << what << ": expected " << expected << ", yours is " << actual;
}

// Token t scores f * (t + 1): the state by the formula, in double.
void expect_read(const AttentionState<float>& state, double factor, std::size_t num_tokens) {
  const double max = factor * (factor < 0 ? 1 : static_cast<double>(num_tokens));
  double sum = 0, first = 0, last = 0;
  for (std::size_t t = 0; t < num_tokens; ++t) {
    const double weight = std::exp(factor * static_cast<double>(t + 1) - max);
    sum += weight;
    first += weight * static_cast<double>(t * 4);
    last += weight * static_cast<double>(t * 4 + 31);
  }
  expect_float("max", state.max, static_cast<float>(max));
  expect_float("sum", state.sum, static_cast<float>(sum));
  expect_float("dimension 0", state.out[0], static_cast<float>(first));
  expect_float("dimension 31", state.out[31], static_cast<float>(last));
}

TEST(AttendTile, FourHeadsReadATile) {
  SPEC("each of the four heads has the state that attend_block gives", "5.12 attend_tile");
  const std::vector<float> factors = {0, 0.5f, -0.25f, 2};
  const auto of_floats = read_tile<float>(factors, 16, nothing_read());
  const auto of_bfloats = read_tile<BFloat16>(factors, 16, nothing_read());
  for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
    expect_read(of_floats[head], double{factors[head]}, 16);
    expect_read(of_bfloats[head], double{factors[head]}, 16);
  }
  const std::vector<float> lowest = {-1e31f, -1e32f, -1e35f, -3e38f};
  const auto of_low_floats = read_tile<float>(lowest, 1, nothing_read());
  const auto of_low_bfloats = read_tile<BFloat16>(lowest, 1, nothing_read());
  for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
    expect_read(of_low_floats[head], double{lowest[head]}, 1);
    expect_read(of_low_bfloats[head], double{lowest[head]}, 1);
  }
}

// Token 0 has a key of zeros but for the last dimension, and values of 0 to 2.
template <class Stored>
void expect_large_head(std::size_t head_dim) {
  std::vector<Stored> tile(2 * head_dim * kTileTokens);
  std::vector<double> key(head_dim), value(head_dim);
  std::vector<float> query(kHeadsAtOnce * head_dim);
  for (std::size_t d = 0; d < head_dim; ++d) value[d] = static_cast<double>(d % 3);
  key.back() = 2;
  for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
    query[(head + 1) * head_dim - 1] = static_cast<float>(head);
  }
  put<Stored>({1, 1, head_dim, tile}, 0, key, value, 0);
  std::vector<AttentionState<float>> states(kHeadsAtOnce, AttentionState<float>(head_dim));
  log_step({"attend_tile(head_dim)", "attend_tile, 1 token of head_dim {0}"}, head_dim);
  attend_tile<Stored>(tile.data(), tile.data(), query.data(), 1,
                      std::span<AttentionState<float>, kHeadsAtOnce>(states));
  log_returned();
  for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
    EXPECT_SAME(states[head].max, 2 * static_cast<float>(head)) << "of head " << head;
    expect_near(states[head].out, value, 0, head_dim);
  }
}

TEST(AttendTile, TakesMoreThan16Bits) {
  SPEC("head_dim is any multiple of 16", "5.12 attend_tile");
  for (const std::size_t head_dim : {16u, 304u, 70'000u}) {
    expect_large_head<float>(head_dim);
    expect_large_head<BFloat16>(head_dim);
  }
}

// Scores as far from 0 as floats allow, so that no constant is below all of them.
template <class Stored>
void expect_far_scores(std::size_t num_tokens) {
  const std::vector<float> factors = {1e30f, -1e6f, -1e30f, 0};
  const auto states = read_tile<Stored>(factors, num_tokens, nothing_read());
  for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
    expect_read(states[head], double{factors[head]}, num_tokens);
  }
}

TEST(AttendTile, NothingComesOfSlotsPastTheTokens) {
  SPEC("I11: what is past num_tokens never shows", "5.12 attend_tile", "first num_tokens tokens");
  for (const std::size_t num_tokens : {1u, 5u, 15u}) {
    for (const auto& states : {read_tile<float>({1, 1, -1, 0}, num_tokens, nothing_read()),
                               read_tile<BFloat16>({1, 1, -1, 0}, num_tokens, nothing_read())}) {
      expect_read(states[0], 1, num_tokens);
      expect_read(states[2], -1, num_tokens);
    }
    expect_far_scores<float>(num_tokens);
    expect_far_scores<BFloat16>(num_tokens);
  }
}

TEST(AttendTile, NoTokensChangeNothing) {
  SPEC("0 tokens leave the states unchanged", "5.12 attend_tile", "0 tokens leave");
  auto some = nothing_read();
  some[1].max = 3;
  some[1].sum = 2;
  some[1].out[5] = 8;
  for (const auto& states :
       {read_tile<float>({1, 5, 0, -1}, 0, some), read_tile<BFloat16>({1, 5, 0, -1}, 0, some)}) {
    for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
      EXPECT_SAME(states[head].max, some[head].max) << "of head " << head;
      EXPECT_SAME(states[head].sum, some[head].sum) << "of head " << head;
      EXPECT_SAME(states[head].out, some[head].out) << "of head " << head;
    }
  }
}

template <class Stored>
void expect_goes_on() {
  auto states = nothing_read();
  for (AttentionState<float>& state : states) {
    state.max = 3;
    state.sum = 2;
    std::ranges::fill(state.out, 8.0f);
  }
  states = read_tile<Stored>({1, 5, 0, -20}, 1, states);
  expect_float("sum below the old maximum", states[0].sum, 2 + std::exp(-2.0f));
  expect_float("max below the old maximum", states[0].max, 3);
  expect_float("sum above the old maximum", states[1].sum, 2 * std::exp(-2.0f) + 1);
  expect_float("max above the old maximum", states[1].max, 5);
  for (std::size_t d = 0; d < 32; ++d) {
    const auto value = static_cast<float>(d);
    expect_float("a dimension above it", states[1].out[d], 8 * std::exp(-2.0f) + value);
    expect_float("a dimension below it", states[0].out[d], 8 + std::exp(-2.0f) * value);
  }
  for (AttentionState<float>& state : states) {
    state.max = 3;
    std::ranges::fill(state.out, std::exp(80.0f));
  }
  states = read_tile<Stored>({60, 83, 1, 1}, 1, states);
  expect_float("a large dimension far above it", states[0].out[1], 1 + std::exp(23.0f));
  expect_float("a large dimension very far above it", states[1].out[1], 2);
}

// What was read before is far below the new score, but it is so much that it shows.
template <class Stored>
void expect_large_sum_far_below() {
  const std::vector<float> scores = {12, 14, 12, 14};
  auto states = nothing_read();
  for (AttentionState<float>& state : states) {
    state.max = 0;
    state.sum = 1e6f;
    std::ranges::fill(state.out, 3e6f);
  }
  states = read_tile<Stored>(scores, 1, states);
  for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
    const float kept = 1e6f * std::exp(-scores[head]);
    expect_float("a large sum far below", states[head].sum, kept + 1);
    expect_float("a dimension of it", states[head].out[31], 3 * kept + 31);
  }
}

// Scores of 0 and of -ln 2^100, with values of 1 and 2^100: both count alike.
template <class Stored>
void expect_small_weight_in_tile() {
  std::vector<Stored> tile(2 * 32 * 16);
  const TiledKVCache<Stored> cache = {1, 1, 32, tile};
  put(cache, 0, std::vector<double>(32), std::vector<double>(32, 1), 0);
  put(cache, 1, std::vector<double>(32, 1), std::vector<double>(32, std::exp2(100.0)), 0);
  std::vector<float> query(kHeadsAtOnce * 32);
  for (std::size_t head = 0; head < kHeadsAtOnce; ++head)
    query[head * 32] = static_cast<float>(-100 * std::log(2.0));
  auto states = nothing_read();
  log_step("attend_tile, scores 0 and -ln 2^100, values 1 and 2^100");
  attend_tile<Stored>(tile.data(), tile.data(), query.data(), 2,
                      std::span<AttentionState<float>, kHeadsAtOnce>(states));
  log_returned();
  for (const AttentionState<float>& state : states) expect_float("dimension 31", state.out[31], 2);
}

// A tile after a state whose maximum is 0: the score of its one token is larger by `growth`, or
// smaller. What was read before is so large that it shows.
template <class Stored>
void expect_growth_after_state(float growth) {
  const float large = value_against(growth);
  auto states = nothing_read();
  for (AttentionState<float>& state : states) {
    state.max = 0;
    state.sum = 2;
    std::ranges::fill(state.out, large);
  }
  states = read_tile<Stored>({growth, -growth, growth / 2, -growth / 2}, 1, states);
  for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
    const double score = double{growth} * (head % 2 == 0 ? 1 : -1) / (head < 2 ? 1 : 2);
    const double keep = std::exp(-std::fmax(score, 0)), take = std::exp(std::fmin(score, 0));
    const std::string of = " after a growth by " + draw(static_cast<float>(score));
    expect_float(("sum" + of).c_str(), states[head].sum, static_cast<float>(2 * keep + take));
    expect_float(("dimension 31" + of).c_str(), states[head].out[31],
                 static_cast<float>(double{large} * keep + 31 * take));
  }
}

// Inside a tile, and from tile to tile.
template <class Stored>
void expect_any_growth_of_tiles() {
  for (const float growth : growths<float>()) {
    if (testing::Test::HasFailure()) return;
    clear_log();
    expect_growth_after_state<Stored>(growth);
    const std::vector<float> factors = {growth / 16, -growth / 16, growth / 2, -growth / 2};
    const auto states = read_tile<Stored>(factors, 16, nothing_read());
    for (std::size_t head = 0; head < kHeadsAtOnce; ++head)
      expect_read(states[head], double{factors[head]}, 16);
  }
}

TEST(AttendTile, GoesOnFromAState) {
  SPEC("what a head has read before is kept, relative to the larger maximum", "5.12 attend_tile");
  expect_goes_on<float>();
  expect_goes_on<BFloat16>();
  expect_small_weight_in_tile<float>();
  expect_small_weight_in_tile<BFloat16>();
  expect_large_sum_far_below<float>();
  expect_large_sum_far_below<BFloat16>();
  expect_any_growth_of_tiles<float>();
  expect_any_growth_of_tiles<BFloat16>();
}

}  // namespace
}  // namespace kv::grader

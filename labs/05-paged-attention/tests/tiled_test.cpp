// Tiles: where each number is written.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "05-paged-attention/tests/far_memory.h"
#include "05-paged-attention/tests/paged_fixture.h"
#include "05-paged-attention/tests/tiled_batch.h"
#include "grader/harness/expectations.h"
#include "grader/harness/test_log.h"
#include "kv/require.h"

namespace kv::grader::tiled {
namespace {

using namespace small_cache;

template <class Stored>
void expect_written_tokens() {
  Random random(7);
  const auto k = as<float>(random_numbers(random, 4 * kTokenSize));
  const auto v = as<float>(random_numbers(random, 4 * kTokenSize));
  std::vector<Stored> tiles(2 * kSize, narrow<Stored>(-7));
  const TiledKVCache<Stored> cache = {kNumBlocks, kNumKvHeads, kHeadDim, tiles};
  const std::vector<SlotId> slots = {17, kPadSlotId, kPadSlotId, 47};
  log_step({"write_kv_tiled(slot_mapping)", "write_kv_tiled, slot_mapping {0}"}, slots);
  write_kv_tiled<Stored>(k, v, slots, cache);
  log_returned();
  expect_token(cache, 17, &k[0], &v[0]);
  expect_token(cache, 47, &k[3 * kTokenSize], &v[3 * kTokenSize]);
  const auto is_untouched = [](Stored number) { return widen(number) == -7; };
  EXPECT_SAME(std::ranges::count_if(tiles, is_untouched),
              std::ssize(tiles) - 4 * std::ptrdiff_t(kTokenSize))
      << "two tokens have been written, each a key and a value, and nothing else";
  log_step("write_kv_tiled, slot_mapping [-1 0]");
  write_kv_tiled<Stored>(std::span(k).first(2 * kTokenSize), std::span(v).first(2 * kTokenSize),
                         std::vector<SlotId>{kPadSlotId, 0}, cache);
  log_returned();
  expect_token(cache, 0, &k[kTokenSize], &v[kTokenSize]);
}

TEST(WriteKvTiled, PutsATokenIntoItsTiles) {
  SPEC("a token is in its column of the K tile and its rows of the V tile", "5.10 write_kv_tiled",
       "write_kv for tiles");
  expect_written_tokens<float>();
  constexpr std::size_t kManyBlocks = (std::size_t{1} << 28) + 4;
  FarMemory<float> memory(kManyBlocks * 512, 512);
  const std::vector<float> token(16, 1);
  const std::vector<SlotId> last = {SlotId{kManyBlocks} * 16 - 1};
  log_step({"write_kv_tiled(slot_mapping)", "write_kv_tiled, slot_mapping {0}"}, last);
  write_kv_tiled<float>(token, token, last, {kManyBlocks, 1, 16, memory.view()});
  log_returned();
  EXPECT_SAME(std::ranges::count(memory.real(), 1.0f), 32)
      << "a key and a value, in the last block";
}

// Numbers at the ends of a float's range, and NaN: rounded as a number, one with few bits would be
// an infinity, and one with many of them a zero.
template <class Stored>
void expect_extremes() {
  using Limits = std::numeric_limits<float>;
  std::vector<float> numbers = {Limits::max(),
                                Limits::lowest(),
                                Limits::infinity(),
                                -Limits::infinity(),
                                Limits::min(),
                                Limits::denorm_min(),
                                -0.0f,
                                3e-39f,
                                3e38f,
                                -3e38f};
  for (const std::uint32_t bits : {0x7f80'0001u, 0xff80'0001u, 0x7fff'ffffu, 0x7fc0'0000u})
    numbers.push_back(std::bit_cast<float>(bits));
  numbers.resize(16);
  std::vector<Stored> tiles(2 * 16 * 16, narrow<Stored>(0));
  log_step("write_kv_tiled of very large and very small numbers, of -0 and of NaN");
  write_kv_tiled<Stored>(numbers, numbers, std::vector<SlotId>{0}, {1, 1, 16, tiles});
  log_returned();
  for (std::size_t d = 0; d < numbers.size(); ++d) {
    const Stored expected = narrow<Stored>(numbers[d]);
    for (const std::size_t place : {drawn_place<Stored>(d, 0), 256 + drawn_place<Stored>(0, d)}) {
      EXPECT_HOLDS(is_same_number(tiles[place], expected))
          << "of " << draw(numbers[d]) << ": expected " << draw(widen(expected)) << ", yours is "
          << draw(widen(tiles[place]));
    }
  }
}

TEST(WriteKvTiled, NarrowsToBFloat16) {
  SPEC("bfloat16 holds the nearest number that it has, float every number", "5.10 write_kv_tiled");
  expect_written_tokens<BFloat16>();
  const std::vector<float> ties = {1 + 1 / 256.0f, 1 + 3 / 256.0f, -1 - 1 / 256.0f,
                                   -1 - 3 / 256.0f};
  const std::vector<float> even = {1, 1 + 4 / 256.0f, -1, -1 - 4 / 256.0f};
  std::vector<float> numbers(16);
  std::ranges::copy(ties, numbers.begin());
  std::vector<BFloat16> tiles(2 * 16 * 16);
  log_step("write_kv_tiled of numbers halfway between two of bfloat16");
  write_kv_tiled<BFloat16>(numbers, numbers, std::vector<SlotId>{0}, {1, 1, 16, tiles});
  log_returned();
  for (std::size_t d = 0; d < ties.size(); ++d) {
    EXPECT_SAME(widen(tiles[drawn_place<BFloat16>(d, 0)]), even[d]) << "a key of " << ties[d];
    EXPECT_SAME(widen(tiles[256 + drawn_place<BFloat16>(0, d)]), even[d])
        << "a value of " << ties[d];
  }
  expect_extremes<BFloat16>();
  expect_extremes<float>();
}

template <class Stored>
void expect_refuses_sizes() {
  std::vector<Stored> tiles(2 * kSize + 1, narrow<Stored>(-7));
  const std::vector<float> token(kTokenSize, 1);
  const auto write = [&](std::size_t num_blocks, std::size_t head_dim, std::size_t num_numbers) {
    log_step({"write_kv_tiled(num_blocks, head_dim)", "write_kv_tiled: {0} blocks, head_dim {1}"},
             num_blocks, head_dim);
    write_kv_tiled<Stored>(
        std::span(token).first(kNumKvHeads * head_dim),
        std::span(token).first(kNumKvHeads * head_dim), std::vector<SlotId>{0},
        {num_blocks, kNumKvHeads, head_dim, std::span(tiles).first(num_numbers)});
    log_returned();
  };
  EXPECT_REFUSED(write(kNumBlocks, kHeadDim, 2 * kSize - 1)) << "a number too few";
  EXPECT_REFUSED(write(kNumBlocks, kHeadDim, kSize)) << "room for keys only";
  EXPECT_REFUSED(write(kNumBlocks, kHeadDim, 2 * kSize + 1)) << "one too many";
  EXPECT_REFUSED(write(kNumBlocks + (std::size_t{1} << 53), kHeadDim, 2 * kSize))
      << "as many blocks as make a product of 2^64 + the size";
  EXPECT_REFUSED(write(kNumBlocks, 8, kSize / 2)) << "head_dim 8";
  const auto is_untouched = [](Stored number) { return widen(number) == -7; };
  EXPECT_SAME(std::ranges::count_if(tiles, is_untouched), std::ssize(tiles))
      << "numbers that the refused calls have not written";
  write(kNumBlocks, kHeadDim, 2 * kSize);
}

TEST(WriteKvTiled, RefusesContradictingSizes) {
  SPEC("tiles of another size than their shape are refused, and nothing is written",
       "5.10 write_kv_tiled");
  expect_refuses_sizes<float>();
  expect_refuses_sizes<BFloat16>();
}

// One token with that many heads and dimensions, in slot 1 of one block.
template <class Stored>
void expect_large_token(std::size_t num_kv_heads, std::size_t head_dim) {
  std::vector<Stored> tiles(num_kv_heads * head_dim * 2 * kTileTokens);
  std::vector<float> k(num_kv_heads * head_dim, 1);
  k.back() = 2;
  log_step({"write_kv_tiled(num_kv_heads, head_dim)", "write_kv_tiled of {0} heads, head_dim {1}"},
           num_kv_heads, head_dim);
  write_kv_tiled<Stored>(k, k, std::vector<SlotId>{1}, {1, num_kv_heads, head_dim, tiles});
  log_returned();
  const std::size_t tile_size = head_dim * kTileTokens, last_rows = head_dim - kTileTokens;
  const Stored* value_tile = tiles.data() + tiles.size() - tile_size;
  EXPECT_SAME(widen((value_tile - tile_size)[drawn_place<Stored>(head_dim - 1, 1)]), 2) << "key";
  EXPECT_SAME(widen(value_tile[drawn_place<Stored>(last_rows + 1, 15)]), 2) << "value";
  const auto is_one = [](Stored number) { return widen(number) == 1; };
  EXPECT_SAME(std::ranges::count_if(tiles, is_one), 2 * (std::ssize(k) - 1)) << "all the others";
}

TEST(WriteKvTiled, TakesMoreThan16Bits) {
  SPEC("300 heads, 70,000 dimensions", "5.10 write_kv_tiled");
  expect_large_token<BFloat16>(300, 16);
  expect_large_token<BFloat16>(1, 70'000);
  expect_large_token<float>(300, 16);
  expect_large_token<float>(1, 70'000);
}

template <class Stored>
void expect_refuses_slots() {
  std::vector<Stored> tiles(2 * kSize, narrow<Stored>(-7));
  const TiledKVCache<Stored> cache = {kNumBlocks, kNumKvHeads, kHeadDim, tiles};
  const std::vector<float> two_tokens(2 * kTokenSize, 1);
  const auto write = [&](const std::vector<SlotId>& slots) {
    log_step({"write_kv_tiled(slot_mapping)", "write_kv_tiled, slot_mapping {0}"}, slots);
    write_kv_tiled<Stored>(two_tokens, two_tokens, slots, cache);
    log_returned();
  };
  write({-1, -1});
  EXPECT_REFUSED(write({0, 48})) << "there are 48 slots";
  EXPECT_REFUSED(write({48, 0})) << "the first of two";
  EXPECT_REFUSED(write({0, -2})) << "-2 is no padding";
  EXPECT_REFUSED(write({0})) << "two tokens, one slot";
  const auto half = std::span(two_tokens).first(kTokenSize);
  EXPECT_REFUSED(write_kv_tiled<Stored>(two_tokens, half, std::vector<SlotId>{0, 1}, cache))
      << "two keys, one value";
  EXPECT_REFUSED(write_kv_tiled<Stored>(half, two_tokens, std::vector<SlotId>{0, 1}, cache))
      << "one key, two values";
  const auto is_untouched = [](Stored number) { return widen(number) == -7; };
  EXPECT_SAME(std::ranges::count_if(tiles, is_untouched), std::ssize(tiles))
      << "numbers that the refused calls have not written";
}

TEST(WriteKvTiled, RefusesASlotOutsideBeforeItWrites) {
  SPEC("the rules of write_kv hold for tiles too", "5.10 write_kv_tiled");
  expect_refuses_slots<float>();
  expect_refuses_slots<BFloat16>();
}

}  // namespace
}  // namespace kv::grader::tiled

// Tiles: where each number is written, and how a plain cache is tiled.

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

constexpr std::size_t kNumBlocks = 3, kNumKvHeads = 2, kHeadDim = 32;
constexpr std::size_t kTokenSize = kNumKvHeads * kHeadDim;
constexpr std::size_t kSize = kNumBlocks * kTokenSize * kTileTokens;  // of one plain tensor

// Key and value of one slot, read back out of the tiles as the drawing in the contract says.
template <class Stored>
void expect_token(const TiledKVCache<Stored>& cache,
                  std::size_t slot,
                  const float* k,
                  const float* v) {
  const std::size_t block = slot / 16, token = slot % 16;
  for (std::size_t i = 0; i < kTokenSize; ++i) {
    const std::size_t head = i / kHeadDim, d = i % kHeadDim;
    const Stored* tile = &cache.tiles[(block * kNumKvHeads + head) * 2 * kHeadDim * 16];
    const Stored* value_tile = tile + kHeadDim * 16;
    const float key = widen(tile[drawn_place<Stored>(d, token)]);
    const float value = widen(value_tile[drawn_place<Stored>(d / 16 * 16 + token, d % 16)]);
    if (key == widen(narrow<Stored>(k[i])) && value == widen(narrow<Stored>(v[i]))) continue;
    ADD_FAILURE() << "slot " << slot << ", KV head " << head << ", dimension " << d
                  << ": expected key " << k[i] << " and value " << v[i] << ", found " << key
                  << " and " << value;
    return;
  }
}

template <class Stored>
void expect_written_tokens() {
  Random random(7);
  const auto k = as<float>(random_numbers(random, 3 * kTokenSize));
  const auto v = as<float>(random_numbers(random, 3 * kTokenSize));
  std::vector<Stored> tiles(2 * kSize, narrow<Stored>(-7));
  const TiledKVCache<Stored> cache = {kNumBlocks, kNumKvHeads, kHeadDim, tiles};
  const std::vector<SlotId> slots = {17, kPadSlotId, 47};
  log_step({"write_kv_tiled(slot_mapping)", "write_kv_tiled, slot_mapping {0}"}, slots);
  write_kv_tiled<Stored>(k, v, slots, cache);
  log_returned();
  expect_token(cache, 17, &k[0], &v[0]);
  expect_token(cache, 47, &k[2 * kTokenSize], &v[2 * kTokenSize]);
  const auto is_untouched = [](Stored number) { return widen(number) == -7; };
  EXPECT_SAME(std::ranges::count_if(tiles, is_untouched),
              std::ssize(tiles) - 4 * std::ptrdiff_t(kTokenSize))
      << "two tokens have been written, each a key and a value, and nothing else";
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
void expect_extremes() {
  using Limits = std::numeric_limits<float>;
  std::vector<float> numbers = {Limits::max(),
                                Limits::lowest(),
                                Limits::infinity(),
                                -Limits::infinity(),
                                Limits::min(),
                                3e-39f,
                                3e38f,
                                -3e38f};
  for (const std::uint32_t bits : {0x7f80'0001u, 0xff80'0001u, 0x7fff'ffffu, 0x7fc0'0000u})
    numbers.push_back(std::bit_cast<float>(bits));
  numbers.resize(16);
  std::vector<BFloat16> tiles(2 * 16 * 16);
  log_step("write_kv_tiled of very large and very small numbers and of NaN");
  write_kv_tiled<BFloat16>(numbers, numbers, std::vector<SlotId>{0}, {1, 1, 16, tiles});
  log_returned();
  for (std::size_t d = 0; d < numbers.size(); ++d) {
    const float expected = widen(narrow<BFloat16>(numbers[d]));
    for (const std::size_t place :
         {drawn_place<BFloat16>(d, 0), 256 + drawn_place<BFloat16>(0, d)}) {
      const float yours = widen(tiles[place]);
      EXPECT_HOLDS(yours == expected || (std::isnan(yours) && std::isnan(expected)))
          << "of " << draw(numbers[d]) << ": expected " << draw(expected) << ", yours is "
          << draw(yours);
    }
  }
}

TEST(WriteKvTiled, NarrowsToBFloat16) {
  SPEC("bfloat16 holds the nearest number that it has", "5.10 write_kv_tiled");
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
  expect_extremes();
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
void expect_large_token(std::size_t num_kv_heads, std::size_t head_dim) {
  std::vector<BFloat16> tiles(num_kv_heads * head_dim * 2 * kTileTokens);
  std::vector<float> k(num_kv_heads * head_dim, 1);
  k.back() = 2;
  log_step({"write_kv_tiled(num_kv_heads, head_dim)", "write_kv_tiled of {0} heads, head_dim {1}"},
           num_kv_heads, head_dim);
  write_kv_tiled<BFloat16>(k, k, std::vector<SlotId>{1}, {1, num_kv_heads, head_dim, tiles});
  log_returned();
  const std::size_t tile_size = head_dim * kTileTokens, last_rows = head_dim - kTileTokens;
  const BFloat16* value_tile = tiles.data() + tiles.size() - tile_size;
  EXPECT_SAME(widen((value_tile - tile_size)[drawn_place<BFloat16>(head_dim - 1, 1)]), 2) << "key";
  EXPECT_SAME(widen(value_tile[drawn_place<BFloat16>(last_rows + 1, 15)]), 2) << "value";
  const auto is_one = [](BFloat16 number) { return widen(number) == 1; };
  EXPECT_SAME(std::ranges::count_if(tiles, is_one), 2 * (std::ssize(k) - 1)) << "all the others";
}

TEST(WriteKvTiled, TakesMoreThan16Bits) {
  SPEC("300 heads, 70,000 dimensions", "5.10 write_kv_tiled");
  expect_large_token(300, 16);
  expect_large_token(1, 70'000);
}

TEST(WriteKvTiled, RefusesASlotOutsideBeforeItWrites) {
  SPEC("the rules of write_kv hold for tiles too", "5.10 write_kv_tiled");
  std::vector<float> tiles(2 * kSize, -7);
  const TiledKVCache<float> cache = {kNumBlocks, kNumKvHeads, kHeadDim, tiles};
  const std::vector<float> two_tokens(2 * kTokenSize, 1);
  write_kv_tiled<float>(two_tokens, two_tokens, std::vector<SlotId>{-1, -1}, cache);
  const auto write = [&](const std::vector<SlotId>& slots) {
    log_step({"write_kv_tiled(slot_mapping)", "write_kv_tiled, slot_mapping {0}"}, slots);
    write_kv_tiled<float>(two_tokens, two_tokens, slots, cache);
    log_returned();
  };
  EXPECT_REFUSED(write({0, 48})) << "there are 48 slots";
  EXPECT_REFUSED(write({0, -2})) << "-2 is no padding";
  EXPECT_REFUSED(write({0})) << "two tokens, one slot";
  const auto half = std::span(two_tokens).first(kTokenSize);
  EXPECT_REFUSED(write_kv_tiled<float>(two_tokens, half, std::vector<SlotId>{0, 1}, cache))
      << "two keys, one value";
  EXPECT_REFUSED(write_kv_tiled<float>(half, two_tokens, std::vector<SlotId>{0, 1}, cache))
      << "one key, two values";
  EXPECT_SAME(std::ranges::count(tiles, -7.0f), std::ssize(tiles))
      << "numbers that the refused calls have not written";
}

template <class Stored>
void expect_every_token() {
  Random random(7);
  auto keys = as<float>(random_numbers(random, kSize));
  auto values = as<float>(random_numbers(random, kSize));
  std::vector<Stored> tiles(2 * kSize);
  const TiledKVCache<Stored> cache = {kNumBlocks, kNumKvHeads, kHeadDim, tiles};
  log_step({"tile_kv_cache()", "tile_kv_cache"});
  tile_kv_cache<Stored>({{kNumBlocks, kTileTokens, kNumKvHeads, kHeadDim}, keys, values}, cache);
  log_returned();
  for (std::size_t slot = 0; slot < kNumBlocks * kTileTokens; ++slot) {
    expect_token(cache, slot, &keys[slot * kTokenSize], &values[slot * kTokenSize]);
  }
}

// One KV head of 16 dimensions. The keys and values of a slot are its number, and minus that.
void expect_every_token_of(std::size_t num_blocks) {
  std::vector<float> keys(num_blocks * 256), values(keys.size()), tiles(2 * keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<float>(i / 16);
    values[i] = -keys[i];
  }
  log_step({"tile_kv_cache(num_blocks)", "tile_kv_cache of {0} blocks"}, num_blocks);
  tile_kv_cache<float>({{num_blocks, kTileTokens, 1, 16}, keys, values},
                       {num_blocks, 1, 16, tiles});
  log_returned();
  for (std::size_t slot = 0; slot < num_blocks * kTileTokens; ++slot) {
    const float* tile = &tiles[slot / 16 * 512];
    const auto number = static_cast<float>(slot);
    const std::size_t key = drawn_place<float>(15, slot % 16);
    const std::size_t value = 256 + drawn_place<float>(slot % 16, 15);
    if (tile[key] == number && tile[value] == -number) continue;
    ADD_FAILURE() << "slot " << slot << ": expected key " << number << " and value " << -number
                  << ", found " << tile[key] << " and " << tile[value];
    return;
  }
}

TEST(TileKvCache, KeepsEveryToken) {
  SPEC("every slot of the plain cache is in the tiles", "5.11 tile_kv_cache", "into the same slot",
       "narrowed");
  expect_every_token<float>();
  expect_every_token<BFloat16>();
  expect_every_token_of(4400);
}

// Without blocks, two shapes have one size: only the shape is different.
void expect_refuses_other_empty_caches() {
  const auto tile = [](std::size_t block_size, std::size_t num_kv_heads, std::size_t head_dim) {
    log_step({"tile_kv_cache(block_size, num_kv_heads, head_dim)",
              "tile_kv_cache: no blocks, of {0} slots, {1} KV heads, head_dim {2}"},
             block_size, num_kv_heads, head_dim);
    tile_kv_cache<float>({{0, block_size, num_kv_heads, head_dim}, {}, {}}, {0, 2, 32, {}});
    log_returned();
  };
  tile(kTileTokens, 2, 32);
  EXPECT_REFUSED(tile(8, 2, 32)) << "blocks of 8";
  EXPECT_REFUSED(tile(kTileTokens, 1, 32)) << "1 head";
  EXPECT_REFUSED(tile(kTileTokens, 2, 16)) << "16 dims";
}

TEST(TileKvCache, RefusesAnotherShape) {
  SPEC("caches of two shapes, or of other blocks than kTileTokens, are refused",
       "5.11 tile_kv_cache", "different shapes", "other than kTileTokens");
  std::vector<float> keys(kSize, 1), values(kSize, 1), tiles(2 * kSize);
  TiledKVCache<float> cache = {kNumBlocks, kNumKvHeads, kHeadDim, tiles};
  const auto tile = [&](const PagedLayout& layout) {
    tile_kv_cache<float>({layout, keys, values}, cache);
  };
  tile({kNumBlocks, kTileTokens, kNumKvHeads, kHeadDim});
  EXPECT_REFUSED(tile({kNumBlocks, 8, kNumKvHeads, kHeadDim})) << "blocks of 8";
  EXPECT_REFUSED(tile({2, kTileTokens, kNumKvHeads, kHeadDim})) << "2 blocks";
  EXPECT_REFUSED(tile({kNumBlocks, kTileTokens, 1, kHeadDim})) << "1 head";
  EXPECT_REFUSED(tile({kNumBlocks, kTileTokens, kNumKvHeads, 16})) << "16 dims";
  EXPECT_REFUSED(tile({std::size_t{1} << 62, 1, 1, 1})) << "2^62 blocks";
  expect_refuses_other_empty_caches();
  std::ranges::fill(tiles, -7.0f);
  const PagedLayout same = {kNumBlocks, kTileTokens, kNumKvHeads, kHeadDim};
  keys.pop_back();
  EXPECT_REFUSED(tile(same)) << "a key too few";
  keys.push_back(1);
  values.push_back(1);
  EXPECT_REFUSED(tile(same)) << "a value too many";
  values.pop_back();
  cache.tiles = std::span(tiles).first(kSize);
  EXPECT_REFUSED(tile(same)) << "tiles for half of the blocks";
  EXPECT_SAME(std::ranges::count(tiles, -7.0f), std::ssize(tiles))
      << "numbers that the refused calls have not written";
}

}  // namespace
}  // namespace kv::grader::tiled

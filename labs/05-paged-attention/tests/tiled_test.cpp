// Tiles: where each number is written, and how a plain cache is tiled.

#include <gtest/gtest.h>

#include <algorithm>

#include "05-paged-attention/tests/paged_fixture.h"
#include "05-paged-attention/tests/tiled_batch.h"
#include "grader/harness/draw.h"
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
  EXPECT_EQ(std::ranges::count_if(tiles, is_untouched),
            std::ssize(tiles) - 4 * std::ptrdiff_t(kTokenSize))
      << "two tokens have been written, each a key and a value, and nothing else";
}

TEST(WriteKvTiled, PutsATokenIntoItsTiles) {
  SPEC("a token is in its column of the K tile and its rows of the V tile", "5.10 write_kv_tiled");
  expect_written_tokens<float>();
}

TEST(WriteKvTiled, NarrowsToBFloat16) {
  SPEC("bfloat16 holds the nearest number that it has", "5.10 write_kv_tiled");
  expect_written_tokens<BFloat16>();
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
  EXPECT_THROW(write({0, 48}), ContractViolation) << "there are 48 slots";
  EXPECT_THROW(write({0, -2}), ContractViolation) << "-2 is no padding";
  EXPECT_THROW(write({0}), ContractViolation) << "two tokens, one slot";
  const auto half = std::span(two_tokens).first(kTokenSize);
  EXPECT_THROW(write_kv_tiled<float>(two_tokens, half, std::vector<SlotId>{0, 1}, cache),
               ContractViolation)
      << "two keys, one value";
  EXPECT_EQ(std::ranges::count(tiles, -7.0f), std::ssize(tiles));
}

TEST(TileKvCache, KeepsEveryToken) {
  SPEC("every slot of the plain cache is in the tiles", "5.11 tile_kv_cache");
  Random random(7);
  auto keys = as<float>(random_numbers(random, kSize));
  auto values = as<float>(random_numbers(random, kSize));
  std::vector<float> tiles(2 * kSize);
  const TiledKVCache<float> cache = {kNumBlocks, kNumKvHeads, kHeadDim, tiles};
  log_step({"tile_kv_cache()", "tile_kv_cache"});
  tile_kv_cache<float>({{kNumBlocks, kTileTokens, kNumKvHeads, kHeadDim}, keys, values}, cache);
  log_returned();
  for (std::size_t slot = 0; slot < kNumBlocks * kTileTokens; ++slot) {
    expect_token(cache, slot, &keys[slot * kTokenSize], &values[slot * kTokenSize]);
  }
}

TEST(TileKvCache, RefusesAnotherShape) {
  SPEC("caches of two shapes, or of other blocks than kTileTokens, are refused",
       "5.11 tile_kv_cache");
  std::vector<float> keys(kSize), values(kSize), tiles(2 * kSize);
  const TiledKVCache<float> cache = {kNumBlocks, kNumKvHeads, kHeadDim, tiles};
  const auto tile = [&](const PagedLayout& layout) {
    tile_kv_cache<float>({layout, keys, values}, cache);
  };
  tile({kNumBlocks, kTileTokens, kNumKvHeads, kHeadDim});
  EXPECT_THROW(tile({kNumBlocks, 8, kNumKvHeads, kHeadDim}), ContractViolation) << "blocks of 8";
  EXPECT_THROW(tile({2, kTileTokens, kNumKvHeads, kHeadDim}), ContractViolation) << "2 blocks";
  EXPECT_THROW(tile({kNumBlocks, kTileTokens, 1, kHeadDim}), ContractViolation) << "1 head";
  EXPECT_THROW(tile({kNumBlocks, kTileTokens, kNumKvHeads, 16}), ContractViolation) << "16 dims";
}

}  // namespace
}  // namespace kv::grader::tiled

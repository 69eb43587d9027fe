// How a plain cache is tiled.

#include <gtest/gtest.h>

#include <algorithm>

#include "05-paged-attention/tests/paged_fixture.h"
#include "05-paged-attention/tests/tiled_batch.h"
#include "grader/harness/expectations.h"
#include "grader/harness/test_log.h"
#include "kv/require.h"

namespace kv::grader::tile_kv_cache_test {
namespace {

using namespace small_cache;

// Two slots hold zeros and two hold NaN: they are copied too.
template <class Stored>
void expect_every_token() {
  Random random(7);
  auto keys = as<float>(random_numbers(random, kSize));
  auto values = as<float>(random_numbers(random, kSize));
  std::fill_n(&keys[5 * kTokenSize], kTokenSize, 0.0f);
  std::fill_n(&values[6 * kTokenSize], kTokenSize, 0.0f);
  poison_slots<float>(std::span(keys).subspan(20 * kTokenSize, kTokenSize), kTokenSize);
  poison_slots<float>(std::span(values).subspan(21 * kTokenSize, kTokenSize), kTokenSize);
  std::vector<Stored> tiles(2 * kSize, narrow<Stored>(-7));
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
}  // namespace kv::grader::tile_kv_cache_test

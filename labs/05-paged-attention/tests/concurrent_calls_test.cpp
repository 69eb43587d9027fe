// Two calls of the optimized kernel at one time.

#include <gtest/gtest.h>

#include <algorithm>

#include "05-paged-attention/tests/interrupted_pages.h"
#include "05-paged-attention/tests/tiled_batch.h"

namespace kv::grader::concurrent_calls {
namespace {

constexpr std::size_t kNumBlocks = 4;

// One sequence of 50 tokens, four heads.
template <class Stored>
std::vector<float> attend(std::span<Stored> tiles, const std::vector<float>& query) {
  std::vector<float> out(query.size());
  const std::size_t head_dim = tiles.size() / kNumBlocks / 2 / kTileTokens;
  paged_attention_tiled<Stored>(out, query, {kNumBlocks, 1, head_dim, tiles},
                                std::vector<BlockId>{2, 0, 3, 1}, std::vector<std::size_t>{50},
                                0.25f);
  return out;
}

// A tile is a page, so a call can be stopped in keys or in values.
template <class Stored>
void expect_undisturbed() {
  InterruptedPages pages(2 * kNumBlocks);
  const std::size_t head_dim = InterruptedPages::page_size() / sizeof(Stored) / kTileTokens;
  const std::span<Stored> tiles = pages.numbers<Stored>();
  Random random(7);
  for (Stored& number : tiles) number = narrow<Stored>(static_cast<float>(random_number(random)));
  std::vector<Stored> copy(tiles.begin(), tiles.end());
  const auto query = as<float>(random_numbers(random, kHeadsAtOnce * head_dim));
  const auto other_query = as<float>(random_numbers(random, kHeadsAtOnce * head_dim));
  const auto expected = attend<Stored>(copy, query);
  const auto other_expected = attend<Stored>(copy, other_query);
  for (const std::size_t page : {4u, 0u, 1u, 3u}) {
    log_step({"paged_attention_tiled(page)", "paged_attention_tiled, stopped in tile {0}"}, page);
    std::vector<float> out, other_out;
    pages.stop_at(
        page, [&] { out = attend<Stored>(tiles, query); },
        [&] { other_out = attend<Stored>(copy, other_query); });
    log_returned();
    EXPECT_SAME(out, expected) << "the stopped call, while another one ran";
    EXPECT_SAME(other_out, other_expected) << "the call that ran meanwhile";
  }
}

TEST(AttentionTiled, CallsRunAtOneTime) {
  SPEC("calls on two threads do not change each other's results", "5.13 read_part");
  expect_undisturbed<float>();
  expect_undisturbed<BFloat16>();
}

}  // namespace
}  // namespace kv::grader::concurrent_calls

// Threads of the optimized kernel: of one call, and of two calls at one time.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "05-paged-attention/tests/interrupted_pages.h"
#include "05-paged-attention/tests/tiled_batch.h"

namespace kv::grader::concurrent_calls {
namespace {

constexpr std::size_t kNumBlocks = 4;

// One sequence of 50 tokens, four heads.
template <class Stored>
std::vector<float> attend(std::span<Stored> tiles,
                          const std::vector<float>& query,
                          WorkPlan plan = {}) {
  std::vector<float> out(query.size());
  const std::size_t head_dim = tiles.size() / kNumBlocks / 2 / kTileTokens;
  paged_attention_tiled<Stored>(out, query, {kNumBlocks, 1, head_dim, tiles},
                                std::vector<BlockId>{2, 0, 3, 1}, std::vector<std::size_t>{50},
                                0.25f, plan);
  return out;
}

// A tile is a page, so a call can be stopped in keys or in values.
template <class Stored>
struct StoppableTiles {
  StoppableTiles() {
    for (Stored& number : tiles) number = narrow<Stored>(static_cast<float>(random_number(random)));
  }

  std::vector<float> query() { return as<float>(random_numbers(random, kHeadsAtOnce * head_dim)); }

  InterruptedPages pages{2 * kNumBlocks};
  const std::size_t head_dim = InterruptedPages::page_size() / sizeof(Stored) / kTileTokens;
  const std::span<Stored> tiles = pages.numbers<Stored>();
  Random random{7};
};

template <class Stored>
void expect_undisturbed() {
  StoppableTiles<Stored> memory;
  const std::span<Stored> tiles = memory.tiles;
  std::vector<Stored> copy(tiles.begin(), tiles.end());
  const auto query = memory.query(), other_query = memory.query();
  const auto expected = attend<Stored>(copy, query);
  const auto other_expected = attend<Stored>(copy, other_query);
  for (const std::size_t page : {4u, 0u, 1u, 3u}) {
    log_step({"paged_attention_tiled(page)", "paged_attention_tiled, stopped in tile {0}"}, page);
    std::vector<float> out, other_out;
    memory.pages.stop_at(
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

template <class Stored>
void expect_same_bits(const Call& call) {
  TiledBatch<Stored> batch(call);
  for (const std::size_t num_splits : {1u, 2u, 3u, 5u}) {
    const auto expected = batch.attend({1, num_splits});
    for (const std::size_t num_threads : {2u, 8u, 16u}) {
      EXPECT_SAME(batch.attend({num_threads, num_splits}), expected)
          << num_threads << " threads, and one, with " << num_splits << " splits";
    }
  }
  constexpr std::size_t kMany = std::size_t{1} << 16;
  EXPECT_SAME(batch.attend({kMany, kMany}), batch.attend({1, kMany}))
      << "the same with 2^16 splits";
}

// One thread stops in the first split, for as long as the other one needs for all other splits.
template <class Stored>
void expect_any_order_of_threads() {
  using namespace std::chrono_literals;
  StoppableTiles<Stored> memory;
  const auto query = memory.query();
  const WorkPlan two_threads = {2, kNumBlocks};
  const auto expected = attend<Stored>(memory.tiles, query, {1, kNumBlocks});
  log_step("paged_attention_tiled, 2 threads, a split for each block: the first one ends last");
  std::vector<float> out;
  memory.pages.stop_at(
      4, [&] { out = attend<Stored>(memory.tiles, query, two_threads); },
      [] { std::this_thread::sleep_for(50ms); });
  log_returned();
  EXPECT_SAME(out, expected) << "the bits depend on which thread ends first";
}

TEST(AttentionTiled, ThreadsChangeNothing) {
  SPEC("the result does not depend on the number of threads, not in the last bit",
       "5.13 read_part");
  for (const Call& call : {Call{8, 2, 32, {200, 3, 77}}, Call{8, 2, 32, {200}},
                           Call{4, 1, 16, {2000}}, Call{4, 1, 16, {700, 900}}}) {
    expect_same_bits<float>(call);
    expect_same_bits<BFloat16>(call);
  }
  expect_any_order_of_threads<float>();
  expect_any_order_of_threads<BFloat16>();
}

}  // namespace
}  // namespace kv::grader::concurrent_calls

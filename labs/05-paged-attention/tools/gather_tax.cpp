// What it costs to gather the pages into a row first: attention over pages where they lie, over a
// row that was there already, and over a row that is gathered anew at each step. All three by
// paged_attention_tiled.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "05-paged-attention/bench/bench_scene.h"

namespace kv::bench {
namespace {

// The median of some turns, in milliseconds.
template <class Run>
double time_of(Run run) {
  constexpr std::size_t kTurns = 9;
  std::vector<double> times;
  for (std::size_t i = 0; i < kTurns; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    times.push_back(taken.count());
  }
  std::ranges::sort(times);
  return times[kTurns / 2];
}

void gather(const Scene<float>& scene, const TiledKVCache<float>& row) {
  const TiledKVCache<float> pages = scene.tiled();
  const std::size_t block_size = kNumKvHeads * 2 * pages.tile_size();
  for (std::size_t i = 0; i < scene.tables.size(); ++i) {
    std::copy_n(pages.tile(scene.tables[i], 0), block_size, row.tile(static_cast<BlockId>(i), 0));
  }
}

void print_bar(const char* name, double time, double in_place) {
  constexpr double kWidth = 12;  // of the time in place
  const auto length = static_cast<std::size_t>(kWidth * time / in_place + 0.5);
  std::printf("  %-12s %8.2f ms %6.2f x  %s\n", name, time, time / in_place,
              std::string(std::min<std::size_t>(length, 70), '#').c_str());
}

void measure(std::size_t length) {
  Scene<float> scene(1, length);
  BenchMemory<float> copy(scene.memory.numbers().size());
  const TiledKVCache<float> row = {scene.num_blocks, kNumKvHeads, kHeadDim, copy.numbers()};
  const std::vector<BlockId> in_order = block_ids(scene.num_blocks, false);
  const auto attend = [&](const TiledKVCache<float>& cache, std::span<const BlockId> table) {
    paged_attention_tiled<float>(scene.out, scene.query, cache, table, scene.seq_lens, kScale);
  };
  gather(scene, row);
  const double in_place = time_of([&] { attend(scene.tiled(), scene.tables); });
  std::printf("%zu tokens, %zu MB of keys and values\n", length, copy.num_bytes() >> 20);
  print_bar("contiguous", time_of([&] { attend(row, in_order); }), in_place);
  print_bar("in place", in_place, in_place);
  print_bar("gathered", time_of([&] {
              gather(scene, row);
              attend(row, in_order);
            }),
            in_place);
}

}  // namespace
}  // namespace kv::bench

int main() {
  std::printf("one sequence, %zu query heads, %zu KV heads, head_dim %zu, fp32, one thread\n",
              kv::bench::kNumHeads, kv::bench::kNumKvHeads, kv::bench::kHeadDim);
  for (const std::size_t length : {1024u, 4096u, 16384u, 32768u}) kv::bench::measure(length);
}

// What it costs to copy ("gather") the blocks of a sequence into contiguous memory before each
// step. paged_attention_tiled runs over a contiguous copy that exists already, over the blocks in
// place, and over a copy that is made again at each step.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "05-paged-attention/bench/workload.h"

namespace kv::bench {
namespace {

// The median of kRounds runs, in milliseconds.
template <class Run>
double time_of(Run run) {
  constexpr std::size_t kRounds = 9;
  std::vector<double> times;
  for (std::size_t i = 0; i < kRounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    times.push_back(taken.count());
  }
  std::ranges::sort(times);
  return times[kRounds / 2];
}

void gather(const Workload<float>& workload, const TiledKVCache<float>& copy) {
  const TiledKVCache<float> blocks = workload.tiled();
  const std::size_t block_size = kNumKvHeads * 2 * blocks.tile_size();
  for (std::size_t i = 0; i < workload.tables.size(); ++i) {
    std::copy_n(blocks.tile(workload.tables[i], 0), block_size,
                copy.tile(static_cast<BlockId>(i), 0));
  }
}

void print_bar(const char* name, double time, double in_place) {
  constexpr double kWidth = 12;  // length of the bar for the time in place
  const auto length = static_cast<std::size_t>(kWidth * time / in_place + 0.5);
  std::printf("  %-12s %8.2f ms %6.2f x  %s\n", name, time, time / in_place,
              std::string(std::min<std::size_t>(length, 70), '#').c_str());
}

void measure(std::size_t length) {
  Workload<float> workload(1, length);
  HugePageBuffer<float> memory(workload.memory.numbers().size());
  const TiledKVCache<float> copy = {workload.num_blocks, kNumKvHeads, kHeadDim, memory.numbers()};
  const std::vector<BlockId> in_order = block_ids(workload.num_blocks, false);
  const auto attend = [&](const TiledKVCache<float>& cache, std::span<const BlockId> table) {
    paged_attention_tiled<float>(workload.out, workload.query, cache, table, workload.seq_lens,
                                 kScale);
  };
  gather(workload, copy);
  const double in_place = time_of([&] { attend(workload.tiled(), workload.tables); });
  std::printf("%zu tokens, %zu MB of keys and values\n", length, memory.num_bytes() >> 20);
  print_bar("contiguous", time_of([&] { attend(copy, in_order); }), in_place);
  print_bar("in place", in_place, in_place);
  print_bar("gathered", time_of([&] {
              gather(workload, copy);
              attend(copy, in_order);
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

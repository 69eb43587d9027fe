#pragma once
// What a benchmark's iteration counts, when not all of it counts.

#include <benchmark/benchmark.h>

#include <chrono>

namespace kv::bench {

template <class Work>
void measure_manually(benchmark::State& state, Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  state.SetIterationTime(taken.count());
}

}  // namespace kv::bench

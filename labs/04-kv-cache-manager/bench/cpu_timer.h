#pragma once
// What a benchmark's iteration counts: the processor time of a part of it. Why not the clock: other
// processes lengthen that. To ask for the time takes some 100 ns, so the part does the same many
// times.

#include <benchmark/benchmark.h>

#include <ctime>

namespace kv::bench {

inline double thread_seconds() {
  timespec now;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
void measure_cpu_time(benchmark::State& state, Work work) {
  const double start = thread_seconds();
  work();
  state.SetIterationTime(thread_seconds() - start);
}

}  // namespace kv::bench

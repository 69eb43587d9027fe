#pragma once
// What a benchmark's iteration counts: the processor time of a part of it. Why not the clock: other
// processes lengthen that. To ask for the time takes some 100 ns, so the part does the same many
// times.

#include <benchmark/benchmark.h>

#include "04-kv-cache-manager/bench/replay/processor_time.h"

namespace kv::bench {

template <class Work>
void measure_cpu_time(benchmark::State& state, Work work) {
  const replay::ThreadTimer timer;
  work();
  state.SetIterationTime(timer.seconds());
}

}  // namespace kv::bench

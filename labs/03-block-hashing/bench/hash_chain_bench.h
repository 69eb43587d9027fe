#pragma once
// Hashing a prompt of 256 blocks: ours, and twice without a request around it.

#include <benchmark/benchmark.h>

namespace kv::bench {

void hash_prompt(benchmark::State& state);
void hash_widened(benchmark::State& state);
void hash_bare(benchmark::State& state);

}  // namespace kv::bench

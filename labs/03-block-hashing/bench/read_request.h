#pragma once
// A request that is looked up or cached has just come in, so the processor's caches have it.

#include <benchmark/benchmark.h>

#include <cstdint>

#include "03-block-hashing/request.h"

namespace kv::bench {

inline void read(const Request& request) {
  std::uint64_t sum = 0;
  for (const TokenId token : request.token_ids) sum += static_cast<std::uint64_t>(token);
  for (const BlockHash hash : request.block_hashes) sum += hash;
  for (const ExtraKeys& keys : request.block_extra_keys) sum += keys.size();
  benchmark::DoNotOptimize(sum);
}

}  // namespace kv::bench

#pragma once
// Competitors as they are after hours of service.

#include <algorithm>
#include <cstddef>
#include <random>
#include <type_traits>
#include <vector>

#include "01-free-queue/bench/bench_peers.h"

namespace kv::bench {

// A competitor whose order is shuffled in memory, and the blocks to unlink, drawn beforehand.
template <class Peer>
struct Churned {
  explicit Churned(std::size_t num_blocks) : peer(num_blocks), draws(4 * num_blocks) {
    for (std::size_t i = 0; i < draws.size(); ++i) draws[i] = static_cast<BlockId>(i % num_blocks);
    std::ranges::shuffle(draws, std::mt19937(42));
    // Why not a deque of ids: it has no order in memory but its own, and its searches would take
    // minutes. The chase is shuffled from the start.
    if constexpr (!std::is_same_v<Peer, StdDeque> && !std::is_same_v<Peer, BareChase>) {
      for (const BlockId id : draws) peer.move_to_back(id);
    }
  }

  BlockId next_draw() {
    if (next == draws.size()) next = 0;
    return draws[next++];
  }

  Peer peer;
  std::vector<BlockId> draws;  // each block four times: once each would be the order of the queue
  std::size_t next = 0;
};

}  // namespace kv::bench

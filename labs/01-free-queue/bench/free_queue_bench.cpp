// Times the two free queues, Boost's list and the standard library's containers. The order of each
// queue is shuffled in memory, as it is after hours of service: in address order the hardware reads
// ahead, and no difference shows. All competitors take turns in one run, because times change with
// the other programs that use the cache. Huge pages changed no ratio, so none are used. The chase
// of links is a lower limit: when its links do not fit the cache, no queue with links as small is
// faster.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

#include "01-free-queue/bench/bench_peers.h"
#include "01-free-queue/compact_free_queue.h"
#include "01-free-queue/free_kv_cache_block_queue.h"
#include "grader/harness/ratio_table.h"

namespace kv::bench {

constexpr Name kRotate = "pop + append", kRemove = "remove + append";
constexpr Name kOurs = "FreeKVCacheBlockQueue", kCompact = "CompactFreeQueue";
constexpr Name kBareBoost = "boost, bare and inline", kGuardedBoost = "boost, our contract";
constexpr Name kListAndMap = "std::list + map", kDeque = "std::deque";
constexpr Name kChase = "8-byte chase, the limit";

const std::vector<std::size_t> kSizes = {1'000, 100'000, 1'000'000};
const std::vector<Name> kPeers = {kOurs, kCompact, kBareBoost, kGuardedBoost, kListAndMap, kDeque};
const std::vector<Name> kPeersAndLimit = {kOurs,       kCompact, kBareBoost, kGuardedBoost,
                                          kListAndMap, kDeque,   kChase};
const Table kRotations = {kRotate,    "blocks",          kSizes, 1, kPeersAndLimit,
                          kBareBoost, {kOurs, kCompact}, kChase};
const Table kRemovals = {kRemove,    "blocks",          kSizes,       1, kPeers,
                         kBareBoost, {kOurs, kCompact}, kGuardedBoost};
const std::vector<Goal> kGoals = {{kRotate, kOurs, kBareBoost, {1.1, 1.1, 1.1}},
                                  {kRemove, kOurs, kGuardedBoost, {1.1, 1.1, 1.1}},
                                  {kRotate, kCompact, kBareBoost, {0, 0.55, 0.2}}};

// A competitor whose order is shuffled in memory, and the blocks to remove, drawn beforehand.
template <class Peer>
struct Shuffled {
  explicit Shuffled(std::size_t num_blocks) : peer(num_blocks), draws(4 * num_blocks) {
    for (std::size_t i = 0; i < draws.size(); ++i) draws[i] = static_cast<BlockId>(i % num_blocks);
    std::ranges::shuffle(draws, std::mt19937(42));
    // Why not the deque: its ids are in the order of memory whatever their values, and its searches
    // would take minutes. The chase is shuffled from the start.
    if constexpr (!std::is_same_v<Peer, StdDeque> && !std::is_same_v<Peer, BareChase>) {
      for (const BlockId id : draws) peer.move_to_back(id);
    }
    if constexpr (!std::is_void_v<decltype(peer.rotate())>) {
      std::vector<BlockId> order(num_blocks);
      for (BlockId& id : order) id = peer.rotate();
      answer = fingerprint(order);
    }
  }

  BlockId next_draw() {
    if (next == draws.size()) next = 0;
    return draws[next++];
  }

  Peer peer;
  std::vector<BlockId> draws;  // each block four times: once each would be the order of the queue
  std::size_t next = 0;
  double answer = 0;  // fingerprint of the order after all draws
};

// Why one setup for all turns: building a million blocks and shuffling them takes a second.
template <class Peer>
Shuffled<Peer>& shuffled(std::size_t num_blocks) {
  static std::map<std::size_t, std::unique_ptr<Shuffled<Peer>>> built;
  auto& setup = built[num_blocks];
  if (!setup) setup = std::make_unique<Shuffled<Peer>>(num_blocks);
  rows().answer(setup->answer);
  // Why a warm-up: other competitors have used the caches since this one's last turn.
  for (int i = 0; i < 200'000; ++i) setup->peer.rotate();
  return *setup;
}

template <class Peer, class Move>
void add_movement(const Table& table, Name peer, Move move) {
  for (const std::size_t num_blocks : kSizes) {
    const auto turn = [move, num_blocks](benchmark::State& state) {
      Shuffled<Peer>& setup = shuffled<Peer>(num_blocks);
      for (auto _ : state) {
        move(setup);
        benchmark::ClobberMemory();  // or the compiler keeps parts of the queue in registers
      }
    };
    add_row(table, peer, num_blocks, turn);
  }
}

template <class Peer>
void add(Name peer) {
  add_movement<Peer>(kRotations, peer, [](auto& setup) { setup.peer.rotate(); });
  add_movement<Peer>(kRemovals, peer, [](auto& s) { s.peer.move_to_back(s.next_draw()); });
}

}  // namespace kv::bench

int main(int argc, char** argv) {
  using namespace kv::bench;
  add<QueueAndBlocks<kv::FreeKVCacheBlockQueue>>(kOurs);
  add<QueueAndBlocks<kv::CompactFreeQueue>>(kCompact);
#if KV_BENCH_HAS_BOOST
  add<QueueAndBlocks<BareBoost, BareBoost::Block>>(kBareBoost);
  add<QueueAndBlocks<GuardedBoost, GuardedBoost::Block>>(kGuardedBoost);
#endif
  add<StdListAndMap>(kListAndMap);
  add<StdDeque>(kDeque);
  add_movement<BareChase>(kRotations, kChase, [](auto& setup) { setup.peer.rotate(); });
  if (!KV_BENCH_HAS_BOOST) report_missing_boost();
  RatioTable table({kRotations, kRemovals}, kGoals);
  return run_in_turns(argc, argv, table);
}

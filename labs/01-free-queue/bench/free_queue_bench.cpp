// The two free queues beside Boost's list and the standard library's containers. The order of the
// queue is shuffled in memory, as after hours of service; in address order the hardware reads
// ahead, and every structure looks alike. All take turns in one run, because times change with
// whoever shares the cache. Huge pages changed no ratio: none are used. The chase is a limit: where
// its links do not stay in the cache, no queue of links that small is sooner.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <map>
#include <memory>
#include <vector>

#include "01-free-queue/bench/shuffled_queue.h"
#include "01-free-queue/compact_free_queue.h"
#include "01-free-queue/free_kv_cache_block_queue.h"
#include "grader/harness/ratio_table.h"

namespace kv::bench {

constexpr Name kRotate = "pop + append", kUnlink = "unlink + append";
constexpr Name kOurs = "FreeKVCacheBlockQueue", kCompact = "CompactFreeQueue";
constexpr Name kBareBoost = "boost, bare and inline", kGuardedBoost = "boost, our contract";
constexpr Name kListAndMap = "std::list + map", kDeque = "std::deque";
constexpr Name kChase = "8-byte chase, the limit";

const std::vector<std::size_t> kSizes = {1'000, 100'000, 1'000'000};
const std::vector<Name> kPeers = {kOurs, kCompact, kBareBoost, kGuardedBoost, kListAndMap, kDeque};
const std::vector<Name> kPeersAndLimit = {kOurs,       kCompact, kBareBoost, kGuardedBoost,
                                          kListAndMap, kDeque,   kChase};
const std::vector<Table> kTables = {{kRotate, "blocks", kSizes, 1, kPeersAndLimit, kBareBoost},
                                    {kUnlink, "blocks", kSizes, 1, kPeers, kBareBoost}};
const std::vector<Goal> kGoals = {{kRotate, kOurs, kBareBoost, {1.1, 1.1, 1.1}},
                                  {kUnlink, kOurs, kGuardedBoost, {1.1, 1.1, 1.1}},
                                  {kRotate, kCompact, kBareBoost, {0, 0.55, 0.2}}};

// Building a million blocks and shuffling them takes a second, so one setup serves every turn.
template <class Peer>
Churned<Peer>& churned(std::size_t num_blocks) {
  static std::map<std::size_t, std::unique_ptr<Churned<Peer>>> built;
  auto& setup = built[num_blocks];
  if (!setup) setup = std::make_unique<Churned<Peer>>(num_blocks);
  for (int i = 0; i < 200'000; ++i) setup->peer.rotate();  // the turn before cooled the caches
  return *setup;
}

template <class Peer, class Move>
void add_movement(Name work, Name peer, Move move) {
  for (const std::size_t num_blocks : kSizes) {
    const auto turn = [move, num_blocks](benchmark::State& state) {
      Churned<Peer>& setup = churned<Peer>(num_blocks);
      for (auto _ : state) {
        move(setup);
        benchmark::ClobberMemory();  // the queue lives in memory, not in the loop's registers
      }
    };
    benchmark::RegisterBenchmark(row_name(work, peer, num_blocks).c_str(), turn);
  }
}

template <class Peer>
void add(Name peer) {
  add_movement<Peer>(kRotate, peer, [](auto& setup) { setup.peer.rotate(); });
  add_movement<Peer>(kUnlink, peer, [](auto& s) { s.peer.move_to_back(s.next_draw()); });
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
  add_movement<BareChase>(kRotate, kChase, [](auto& setup) { setup.peer.rotate(); });
  if (!KV_BENCH_HAS_BOOST) std::puts("Boost is not installed: no ratios, no goals");
  RatioTable table(kTables, kGoals);
  return run_in_turns(argc, argv, table);
}

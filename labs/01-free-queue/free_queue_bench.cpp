// How fast are the two free queues, beside Boost's list and the standard library's containers?
//
// The order of the queue is shuffled in memory, as after hours of service: in the order of the
// addresses the hardware reads ahead, and every structure looks alike. The competitors take turns
// in one run, for a time depends on who else uses the cache, and a ratio hardly does. All lie in
// plain pages: on 2 MiB pages the ratios were the same, and no quieter.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "01-free-queue/bench_peers.h"
#include "01-free-queue/compact_free_queue.h"
#include "01-free-queue/free_kv_cache_block_queue.h"

namespace kv::bench {
namespace {

constexpr std::array kSizes = {1'000, 100'000, 1'000'000};

using Name = const char*;
constexpr Name kRotate = "pop + append", kUnlink = "unlink + append";
constexpr Name kOurs = "FreeKVCacheBlockQueue", kCompact = "CompactFreeQueue";
constexpr Name kBareBoost = "boost, bare and inline", kGuardedBoost = "boost, our contract";
constexpr Name kListAndMap = "std::list + map", kDeque = "std::deque";

struct Goal {
  Name movement, peer, versus;
  std::array<double, kSizes.size()> at_most;  // ratio of the medians; 0: no goal at this size
};
constexpr std::array<Goal, 3> kGoals = {{{kRotate, kOurs, kBareBoost, {1.1, 1.1, 1.1}},
                                         {kUnlink, kOurs, kGuardedBoost, {1.1, 1.1, 1.1}},
                                         {kRotate, kCompact, kBareBoost, {0, 0.55, 0.2}}}};

// Building a million blocks and shuffling them takes a second, so one setup serves every turn.
template <class Peer>
Churned<Peer>& churned(std::int64_t num_blocks) {
  static std::map<std::int64_t, std::unique_ptr<Churned<Peer>>> built;
  auto& setup = built[num_blocks];
  if (!setup) setup = std::make_unique<Churned<Peer>>(static_cast<std::size_t>(num_blocks));
  // Why: the competitor before has filled the caches with its own blocks.
  for (int turn = 0; turn < 200'000; ++turn) setup->peer.rotate();
  return *setup;
}

template <class Peer, class Move>
void add_movement(const std::string& name, Move move) {
  const auto run = [move](benchmark::State& state) {
    Churned<Peer>& setup = churned<Peer>(state.range(0));
    for (auto _ : state) {
      move(setup);
      benchmark::ClobberMemory();  // the queue lives in memory, not in the loop's registers
    }
  };
  auto* entry = benchmark::RegisterBenchmark(name.c_str(), run);
  for (const int num_blocks : kSizes) entry->Arg(num_blocks);
}

template <class Peer>
void add(const std::string& peer) {
  using Setup = Churned<Peer>;
  add_movement<Peer>(kRotate + ("/" + peer), [](Setup& setup) { setup.peer.rotate(); });
  add_movement<Peer>(kUnlink + ("/" + peer),
                     [](Setup& setup) { setup.peer.move_to_back(setup.next_draw()); });
}

// A table in place of a row for each turn; the rows go to --benchmark_out=FILE.
class RatioTable : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      times_[run.run_name.function_name + "/" + run.run_name.args].push_back(
          run.GetAdjustedCPUTime());
    }
  }

  void Finalize() override {
    for (const Name movement : {kRotate, kUnlink}) print_times(movement);
    std::printf("\ngoals, by the medians (by the best turns)\n");
    for (const Goal& goal : kGoals) print_goal(goal);
    if (!KV_BENCH_HAS_BOOST) std::printf("  boost is not installed: no ratios, no goals\n");
  }

 private:
  // The time at `quantile` of the turns; NaN where nothing was measured.
  double time(Name movement, const std::string& peer, int num_blocks, double quantile = 0.5) {
    auto& times = times_[movement + ("/" + peer + "/") + std::to_string(num_blocks)];
    std::ranges::sort(times);
    const auto place = static_cast<std::size_t>(quantile * static_cast<double>(times.size()));
    return times.empty() ? std::nan("") : times[place];
  }

  void print_times(Name movement) {
    std::printf("\n%-23s", movement);
    for (const int num_blocks : kSizes) std::printf("%10d blocks      ", num_blocks);
    std::printf("(median ns, ratio to bare boost)\n");
    for (const Name peer : {kOurs, kCompact, kBareBoost, kGuardedBoost, kListAndMap, kDeque}) {
      std::printf("  %-22s", peer);
      for (const int num_blocks : kSizes) {
        const double ns = time(movement, peer, num_blocks);
        std::printf("%11.1f%10.2f x", ns, ns / time(movement, kBareBoost, num_blocks));
      }
      std::printf("\n");
    }
  }

  void print_goal(const Goal& goal) {
    std::printf("  %s: %s / %s\n  ", goal.movement, goal.peer, goal.versus);
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
      const auto ratio = [&](double quantile) {
        return time(goal.movement, goal.peer, kSizes[i], quantile) /
               time(goal.movement, goal.versus, kSizes[i], quantile);
      };
      if (goal.at_most[i] == 0 || std::isnan(ratio(0))) continue;
      std::printf("%8.2f (%.2f) <= %.2f %-6s", ratio(0.5), ratio(0), goal.at_most[i],
                  ratio(0.5) <= goal.at_most[i] ? "met" : "MISSED");
    }
    std::printf("\n");
  }

  std::map<std::string, std::vector<double>> times_;
};

}  // namespace
}  // namespace kv::bench

int main(int argc, char** argv) {
  using namespace kv;
  using namespace kv::bench;
  add<QueueAndBlocks<FreeKVCacheBlockQueue>>(kOurs);
  add<QueueAndBlocks<CompactFreeQueue>>(kCompact);
#if KV_BENCH_HAS_BOOST
  add<QueueAndBlocks<BareBoost, BareBoost::Block>>(kBareBoost);
  add<QueueAndBlocks<GuardedBoost, GuardedBoost::Block>>(kGuardedBoost);
#endif
  add<StdListAndMap>(kListAndMap);
  add<StdDeque>(kDeque);
  // The caller's flags come later in the list, and so they win.
  std::vector<std::string> flags = {argv[0],
                                    "--benchmark_enable_random_interleaving=true",
                                    "--benchmark_repetitions=21",
                                    "--benchmark_min_time=0.03"};
  flags.insert(flags.end(), argv + 1, argv + argc);
  std::vector<char*> args;
  for (std::string& flag : flags) args.push_back(flag.data());
  argc = static_cast<int>(args.size());
  benchmark::Initialize(&argc, args.data());
  if (benchmark::ReportUnrecognizedArguments(argc, args.data())) return 1;
  RatioTable table;
  benchmark::RunSpecifiedBenchmarks(&table);
}

// The two free queues beside Boost's list and the standard library's containers. The order of the
// queue is shuffled in memory, as after hours of service; in address order the hardware reads
// ahead, and every structure looks alike. All take turns in one run, because times change with
// whoever shares the cache. Huge pages changed no ratio: none are used.

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "01-free-queue/bench_peers.h"
#include "01-free-queue/compact_free_queue.h"
#include "01-free-queue/free_kv_cache_block_queue.h"

namespace kv::bench {

constexpr std::array<std::size_t, 3> kSizes = {1'000, 100'000, 1'000'000};
using Name = const char*;
constexpr Name kRotate = "pop + append: ", kUnlink = "unlink + append: ";
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
Churned<Peer>& churned(std::size_t num_blocks) {
  static std::map<std::size_t, std::unique_ptr<Churned<Peer>>> built;
  auto& setup = built[num_blocks];
  if (!setup) setup = std::make_unique<Churned<Peer>>(num_blocks);
  for (int i = 0; i < 200'000; ++i) setup->peer.rotate();  // the turn before cooled the caches
  return *setup;
}

template <class Peer, class Move>
void add_movement(const std::string& name, Move move) {
  for (const std::size_t num_blocks : kSizes) {
    const auto turn = [move, num_blocks](benchmark::State& state) {
      Churned<Peer>& setup = churned<Peer>(num_blocks);
      for (auto _ : state) {
        move(setup);
        benchmark::ClobberMemory();  // the queue lives in memory, not in the loop's registers
      }
    };
    benchmark::RegisterBenchmark((name + std::to_string(num_blocks)).c_str(), turn);
  }
}

template <class Peer>
void add(const std::string& name) {
  add_movement<Peer>(kRotate + name + "/", [](auto& setup) { setup.peer.rotate(); });
  add_movement<Peer>(kUnlink + name + "/", [](auto& s) { s.peer.move_to_back(s.next_draw()); });
}

// A table in place of a row for each turn; the rows go to --benchmark_out=FILE.
class RatioTable : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration)
        times_[run.benchmark_name()].push_back(run.GetAdjustedCPUTime());
  }
  void Finalize() override {
    for (const Name movement : {kRotate, kUnlink}) print_times(movement);
    std::printf("\n\ngoals, by the medians (by the best turns)\n");
    for (const Goal& goal : kGoals) print_goal(goal);
    if (!KV_BENCH_HAS_BOOST) std::printf("  Boost is not installed: no ratios, no goals\n");
  }

 private:
  enum Pick { kMedian, kBest };
  // In nanoseconds; NaN where nothing was measured.
  double time(Name movement, const std::string& peer, std::size_t num_blocks, Pick pick) {
    auto& times = times_[movement + peer + "/" + std::to_string(num_blocks)];
    std::ranges::sort(times);
    return times.empty() ? std::nan("") : times[pick == kBest ? 0 : times.size() / 2];
  }

  void print_times(Name movement) {
    std::printf("\n\n%-24s", movement);
    for (const std::size_t num_blocks : kSizes) std::printf("%9zu blocks      ", num_blocks);
    std::printf("(median ns, ratio to bare boost)");
    for (const Name peer : {kOurs, kCompact, kBareBoost, kGuardedBoost, kListAndMap, kDeque}) {
      std::printf("\n  %-22s", peer);
      for (const std::size_t num_blocks : kSizes) {
        const double ns = time(movement, peer, num_blocks, kMedian);
        std::printf("%11.1f%8.2f x", ns, ns / time(movement, kBareBoost, num_blocks, kMedian));
      }
    }
  }

  void print_goal(const Goal& goal) {
    std::printf("  %s%s / %s\n", goal.movement, goal.peer, goal.versus);
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
      const auto ratio = [&](Pick pick) {
        return time(goal.movement, goal.peer, kSizes[i], pick) /
               time(goal.movement, goal.versus, kSizes[i], pick);
      };
      const double limit = goal.at_most[i], median = ratio(kMedian), best = ratio(kBest);
      if (limit == 0 || std::isnan(median)) continue;
      const Name verdict = median <= limit ? "met" : best <= limit ? "met at best" : "MISSED";
      std::printf("%12zu  %.2f (%.2f) <= %.2f  %s\n", kSizes[i], median, best, limit, verdict);
    }
  }
  std::map<std::string, std::vector<double>> times_;
};

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
  std::string in_turns = "--benchmark_enable_random_interleaving=true";
  std::string repetitions = "--benchmark_repetitions=15", seconds = "--benchmark_min_time=0.03";
  std::vector<char*> flags = {argv[0], in_turns.data(), repetitions.data(), seconds.data()};
  flags.insert(flags.end(), argv + 1, argv + argc);  // the caller's come last, and so they win
  argc = static_cast<int>(flags.size());
  benchmark::Initialize(&argc, flags.data());
  if (benchmark::ReportUnrecognizedArguments(argc, flags.data())) return 1;
  benchmark::RunSpecifiedBenchmarks(std::make_unique<RatioTable>().get());
}

#pragma once
// A table of medians and ratios in place of a row for each turn, and the goals below it. The rows
// go to --benchmark_out=FILE.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/harness/bench_rows.h"

namespace kv::bench {

using Name = const char*;

// One table. Its benchmarks are registered as row_name(work, peer, size).
struct Table {
  Name work;
  Name unit;  // what a size counts
  std::vector<std::size_t> sizes;
  double per_turn;  // a turn of the loop does the work so many times
  std::vector<Name> peers;
  Name base;  // the peer that ratios are to
  // For `./lab bench`: the peers that call the lab's steps, and the peer that they are compared
  // with.
  std::vector<Name> steps;
  Name limit;

  std::string title(std::size_t size) const {
    return work + (", " + std::to_string(size)) + " " + unit;
  }
  Role role_of(Name peer) const {
    if (std::ranges::find(steps, peer) != steps.end()) return Role::kStep;
    return peer == limit ? Role::kLimit : Role::kOther;
  }
};

struct Goal {
  Name work, peer, versus;
  std::vector<double> at_most;  // ratio of the medians, a limit for each size; 0: no goal
};

// How much longer a row takes at the larger size: the ratio of the medians.
struct Growth {
  Name work, peer;
  std::size_t small, large;
  double at_most;
};

inline std::string row_name(Name work, Name peer, std::size_t size) {
  return work + (": " + std::string(peer)) + "/" + std::to_string(size);
}

enum class Timer { kCpu, kByHand };

// Registers one row, if it is wanted. run: takes a benchmark::State.
template <class Run>
void add_row(const Table& table, Name peer, std::size_t size, Run run, Timer timer = Timer::kCpu) {
  const std::string title = table.title(size);
  if (!rows().is_wanted(title, peer, table.role_of(peer))) return;
  const auto guarded = [title, peer, run](benchmark::State& state) {
    if (!rows().run(title, peer, [&] { run(state); })) state.SkipWithError("see ./lab bench");
  };
  auto* row = benchmark::RegisterBenchmark(row_name(table.work, peer, size).c_str(), guarded);
  if (timer == Timer::kByHand) row->UseManualTime();
}

class RatioTable : public benchmark::ConsoleReporter {
 public:
  RatioTable(std::vector<Table> tables, std::vector<Goal> goals, std::vector<Growth> growths = {})
      : tables_(std::move(tables)), goals_(std::move(goals)), growths_(std::move(growths)) {}

  // A row that was measured elsewhere, in nanoseconds for each size; NaN for a size without one.
  void quote(const Table& table, Name peer, const std::vector<double>& times) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      times_[row_name(table.work, peer, table.sizes[i])] = {times[i] * table.per_turn};
    }
  }

  // CPU time, which other processes do not lengthen; the clock for what is timed by hand.
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const bool by_hand = run.run_name.time_type == "manual_time";
      times_[run.run_name.function_name].push_back(by_hand ? run.GetAdjustedRealTime()
                                                           : run.GetAdjustedCPUTime());
    }
  }

  void Finalize() override {
    if (rows().are_read()) return write_rows();
    for (const Table& table : tables_) print_times(table);
    std::printf("\n\ngoals, by the medians (by the best turns)\n");
    for (const Goal& goal : goals_) print_goal(goal);
    for (const Growth& growth : growths_) print_growth(growth);
  }

 private:
  enum Pick { kMedian, kBest };
  // In nanoseconds; NaN where nothing was measured.
  double time(const Table& table, Name peer, std::size_t size, Pick pick) {
    auto& times = times_[row_name(table.work, peer, size)];
    std::ranges::sort(times);
    if (times.empty()) return std::nan("");
    return times[pick == kBest ? 0 : times.size() / 2] / table.per_turn;
  }

  void write_rows() {
    for (const Table& table : tables_) {
      for (const std::size_t size : table.sizes) {
        for (const Name peer : table.peers) {
          const double ns = time(table, peer, size, kMedian);
          const bool is_measured = !std::isnan(ns) && !rows().has_failed(table.title(size), peer);
          if (is_measured) rows().add(table.title(size), peer, table.role_of(peer), ns * 1e-9);
        }
      }
    }
  }

  void print_times(const Table& table) {
    std::printf("\n\n%-28s", table.work);
    for (const std::size_t size : table.sizes) std::printf("%9zu %-11s", size, table.unit);
    std::printf(" (median ns, ratio to %s)", table.base);
    for (const Name peer : table.peers) {
      std::printf("\n  %-26s", peer);
      for (const std::size_t size : table.sizes) {
        const double ns = time(table, peer, size, kMedian);
        print_cell(ns, ns / time(table, table.base, size, kMedian));
      }
    }
  }

  // A dash for what is not installed here.
  static void print_cell(double ns, double ratio) {
    std::isnan(ns) ? std::printf("%11s", "-") : std::printf("%11.1f", ns);
    std::isnan(ratio) ? std::printf("%8s  ", "-") : std::printf("%8.2f x", ratio);
  }

  const Table& table_of(Name work) {
    return *std::ranges::find(tables_, std::string(work), &Table::work);
  }

  void print_goal(const Goal& goal) {
    const Table& table = table_of(goal.work);
    std::printf("  %s: %s / %s\n", goal.work, goal.peer, goal.versus);
    for (std::size_t i = 0; i < table.sizes.size(); ++i) {
      const std::size_t size = table.sizes[i];
      const auto ratio = [&](Pick pick) {
        return time(table, goal.peer, size, pick) / time(table, goal.versus, size, pick);
      };
      if (goal.at_most[i] > 0) print_verdict(size, ratio(kMedian), ratio(kBest), goal.at_most[i]);
    }
  }

  void print_growth(const Growth& growth) {
    const Table& table = table_of(growth.work);
    const auto ratio = [&](Pick pick) {
      return time(table, growth.peer, growth.large, pick) /
             time(table, growth.peer, growth.small, pick);
    };
    if (std::isnan(ratio(kMedian))) return;
    std::printf("  %s: %s / the same with %zu %s\n", growth.work, growth.peer, growth.small,
                table.unit);
    print_verdict(growth.large, ratio(kMedian), ratio(kBest), growth.at_most);
  }

  static void print_verdict(std::size_t size, double median, double best, double limit) {
    if (std::isnan(median)) return;
    const Name verdict = median <= limit ? "met" : best <= limit ? "met at best" : "MISSED";
    std::printf("%12zu  %.2f (%.2f) <= %.2f  %s\n", size, median, best, limit, verdict);
  }

  std::vector<Table> tables_;
  std::vector<Goal> goals_;
  std::vector<Growth> growths_;
  std::map<std::string, std::vector<double>> times_;
};

// Runs what is registered, the competitors in turns. The exit status of main.
inline int run_in_turns(int argc, char** argv, RatioTable& table) {
  std::string in_turns = "--benchmark_enable_random_interleaving=true";
  std::string repetitions = "--benchmark_repetitions=15", seconds = "--benchmark_min_time=0.03";
  std::string sizes = "--benchmark_filter=.";
  if (rows().are_read()) {
    repetitions = "--benchmark_repetitions=3", seconds = "--benchmark_min_time=0.02";
    sizes = "--benchmark_filter=-/1000000(/|$)";  // to build that many takes longer than to measure
  }
  std::vector<char*> flags = {argv[0], in_turns.data(), repetitions.data(), seconds.data(),
                              sizes.data()};
  flags.insert(flags.end(), argv + 1, argv + argc);  // the caller's come last, and so they win
  argc = static_cast<int>(flags.size());
  benchmark::Initialize(&argc, flags.data());
  if (benchmark::ReportUnrecognizedArguments(argc, flags.data())) return 1;
  benchmark::RunSpecifiedBenchmarks(&table);
  return 0;
}

}  // namespace kv::bench

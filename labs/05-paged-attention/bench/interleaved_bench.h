#pragma once
// Measures the competitors of one row of the bench in rounds, one after the other in each round,
// and prints the results. Why not Google Benchmark: its rounds go through all rows of a run, and
// all rows together need more memory than a laptop has.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "grader/harness/bench_rows.h"

namespace kv::bench {

struct Competitor {
  std::string name;
  std::function<void()> run;
  Role role = Role::kOther;
  std::span<float> out = {};  // what run writes
  std::vector<double> seconds = {};

  double median() const { return seconds[seconds.size() / 2]; }
  double best() const { return seconds.front(); }
};

// The CPU time of all threads. Why not the wall clock: other processes lengthen that.
inline double cpu_seconds() {
  timespec now;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Runs the competitor until 20 ms have passed, at least once. Why: on some systems this clock
// counts in steps of some milliseconds.
inline void run_once(Competitor& competitor, std::size_t num_threads) {
  constexpr double kShort = 0.02;
  std::ranges::fill(competitor.out, std::numeric_limits<float>::quiet_NaN());
  const double start = cpu_seconds();
  double taken = 0;
  std::size_t num_runs = 0;
  for (; taken < kShort; taken = cpu_seconds() - start, ++num_runs) competitor.run();
  competitor.seconds.push_back(taken / static_cast<double>(num_threads * num_runs));
  rows().answer(fingerprint(competitor.out));
}

// Competitors slower than 0.5 s run three times, for `./lab bench` once.
inline void measure(const std::string& title,
                    std::vector<Competitor>& competitors,
                    std::size_t num_threads,
                    std::size_t num_rounds) {
  constexpr double kLong = 0.5;
  const std::size_t num_long_rounds = rows().are_read() ? 1 : 3;
  std::erase_if(competitors, [&](const Competitor& each) {
    return !rows().is_wanted(title, each.name, each.role);
  });
  for (std::size_t round = 0; round < num_rounds; ++round) {
    for (Competitor& each : competitors) {
      if (round >= num_long_rounds && !each.seconds.empty() && each.seconds[0] > kLong) continue;
      rows().run(title, each.name, [&] { run_once(each, num_threads); });
    }
  }
  for (Competitor& each : competitors) {
    std::ranges::sort(each.seconds);
    if (!rows().has_failed(title, each.name))
      rows().add(title, each.name, each.role, each.median());
  }
}

inline void print_goal(
    const char* what, double median, double best, double least, const char* unit) {
  const char* verdict = median >= least ? "met" : best >= least ? "met at best" : "MISSED";
  std::printf("  goal: %s: %.1f (%.1f) %s >= %.0f  %s\n", what, median, best, unit, least, verdict);
}

// The first competitor is the plain read, the second the optimized kernel. The third, if there is
// one, is what the optimized kernel has to beat.
inline void print(const std::vector<Competitor>& competitors,
                  std::size_t num_bytes,
                  double least_percent) {
  const Competitor& read = competitors[0];
  const Competitor& optimized = competitors[1];
  for (const Competitor& each : competitors) {
    const double bytes = static_cast<double>(num_bytes);
    std::printf("  %-30s %9.2f ms %8.1f GB/s %6.0f %%\n", each.name.c_str(), each.median() * 1e3,
                bytes / each.median() / 1e9, 100 * read.median() / each.median());
  }
  constexpr std::size_t kBeyondCaches = std::size_t{256} << 20;
  if (num_bytes < kBeyondCaches) return;
  print_goal("of the plain read, by the medians (by the best rounds)",
             100 * read.median() / optimized.median(), 100 * read.best() / optimized.best(),
             least_percent, "%");
  if (competitors.size() < 3) return;
  print_goal("times as fast as Eigen in two passes", competitors[2].median() / optimized.median(),
             competitors[2].best() / optimized.best(), 3, "x");
}

}  // namespace kv::bench

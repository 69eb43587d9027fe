#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

#include "grader/desk/bench/bench_run.h"

namespace kv::grader {
namespace {

constexpr int kNameWidth = 26, kTimeWidth = 13;

template <class... Values>
std::string formatted(const char* form, Values... values) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), form, values...);
  return text.data();
}

// Three digits, in the unit that fits.
std::string time_text(double seconds) {
  if (std::isnan(seconds)) return "-";
  constexpr std::array kUnits = {"s", "ms", "us", "ns"};
  std::size_t unit = 0;
  for (; seconds < 1 && unit + 1 < kUnits.size(); ++unit) seconds *= 1000;
  const int num_decimals = seconds < 10 ? 2 : seconds < 100 ? 1 : 0;
  return formatted("%.*f %s", num_decimals, seconds, kUnits[unit]);
}

using TimeInRound = std::function<double(const BenchRound&)>;

double median_over(const std::vector<BenchRound>& rounds, const TimeInRound& time) {
  std::vector<double> values;
  for (const BenchRound& round : rounds) values.push_back(time(round));
  return median(std::move(values));
}

double time_of(const BenchRun& run, const BenchRow& row) {
  const auto found = run.seconds.find(row);
  return found == run.seconds.end() ? std::nan("") : found->second;
}

double limit_of(const BenchRun& run, const std::string& table) {
  const auto found = run.limits.find(table);
  return found == run.limits.end() ? std::nan("") : time_of(run, found->second);
}

void print_title(const BenchRun& run, const std::string& table) {
  const auto limit = run.limits.find(table);
  const std::string name =
      limit == run.limits.end() ? "a peer that is not installed here" : limit->second.name;
  std::printf("\n%s\ncompared with: %s\n", table.c_str(), name.c_str());
  std::printf("  %-*s%*s%*s%*s%18s%14s\n", kNameWidth, "", kTimeWidth, "limit", kTimeWidth,
              "solution", kTimeWidth, "yours", "yours/solution", "of the limit");
}

// true if yours has a time.
bool print_row(const std::vector<BenchRound>& rounds,
               const BenchRow& row,
               const BenchFailures& failures) {
  const auto solution = [&](const BenchRound& round) { return time_of(round.solution, row); };
  const auto yours = [&](const BenchRound& round) { return time_of(round.yours, row); };
  const auto limit = [&](const BenchRound& round) {
    const double beside_yours = limit_of(round.yours, row.table);
    return std::isnan(beside_yours) ? limit_of(round.solution, row.table) : beside_yours;
  };
  std::printf("  %-*s%*s%*s", kNameWidth, row.name.c_str(), kTimeWidth,
              time_text(median_over(rounds, limit)).c_str(), kTimeWidth,
              time_text(median_over(rounds, solution)).c_str());
  const double time = median_over(rounds, yours);
  const auto failure = failures.find(row);
  if (failure != failures.end() || std::isnan(time)) {
    std::printf("  %s\n", failure != failures.end() ? failure->second.c_str() : "not measured");
    return false;
  }
  const auto to_solution = [&](const BenchRound& round) { return yours(round) / solution(round); };
  const auto of_limit = [&](const BenchRound& round) { return 100 * limit(round) / yours(round); };
  const double percent = median_over(rounds, of_limit);
  std::printf("%*s%16.2f x%14s\n", kTimeWidth, time_text(time).c_str(),
              median_over(rounds, to_solution),
              std::isnan(percent) ? "-" : formatted("%.0f %%", percent).c_str());
  return true;
}

void print_counts(const char* whose, const std::vector<BenchCount>& counts) {
  std::printf("    %-*s", kNameWidth - 2, whose);
  for (const BenchCount& each : counts) std::printf("%*.0f", kTimeWidth, each.number);
  std::printf("\n");
}

// true if yours has counts. They are the same in every round.
bool print_counted_row(const BenchRun& solution,
                       const std::vector<BenchRound>& rounds,
                       const BenchRow& row,
                       const BenchFailures& failures) {
  std::printf("  %s\n", row.name.c_str());
  print_counts("solution", solution.counts.at(row));
  const auto failure = failures.find(row);
  if (failure != failures.end()) {
    std::printf("    %-*s%s\n", kNameWidth - 2, "yours", failure->second.c_str());
    return false;
  }
  const auto has_row = [&](const BenchRound& round) { return round.yours.counts.contains(row); };
  const auto counted = std::ranges::find_if(rounds, has_row);
  if (counted == rounds.end()) std::printf("    %-*snot counted\n", kNameWidth - 2, "yours");
  if (counted != rounds.end()) print_counts("yours", counted->yours.counts.at(row));
  return counted != rounds.end();
}

int print_counted(const std::vector<BenchRound>& rounds, const BenchFailures& failures) {
  const BenchRun& solution = rounds.front().solution;
  int num_counted = 0;
  std::string table;
  for (const BenchRow& row : solution.counted) {
    if (row.table != table) {
      std::printf("\n%s\n  %-*s", (table = row.table).c_str(), kNameWidth, "");
      for (const BenchCount& each : solution.counts.at(row))
        std::printf("%*s", kTimeWidth, each.what.c_str());
      std::printf("\n");
    }
    num_counted += print_counted_row(solution, rounds, row, failures) ? 1 : 0;
  }
  return num_counted;
}

}  // namespace

double median(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

int print_bench(const std::vector<BenchRound>& rounds, const BenchFailures& failures) {
  int num_measured = print_counted(rounds, failures);
  std::string table;
  const BenchRun& first = rounds.front().solution;
  for (const BenchRow& row : first.steps) {
    if (row.table != table) print_title(first, table = row.table);
    num_measured += print_row(rounds, row, failures) ? 1 : 0;
  }
  return num_measured;
}

}  // namespace kv::grader

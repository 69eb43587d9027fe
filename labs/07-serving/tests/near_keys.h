#pragma once
// Keys of two requests that differ by so little that only a comparison of the keys as they are
// finds out which goes first: not one of rounded, cut or multiplied numbers, or of a difference.

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "07-serving/tests/recorded_scheduler.h"

namespace kv::grader {

struct NearKeys {
  RequestOptions first, second;

  std::string text() const { return draw_key(first) + " and " + draw_key(second); }

 private:
  static std::string draw_key(const RequestOptions& key) {
    return "(" + draw(key.priority) + ", " + draw(key.arrival_time) + ")";
  }
};

// The priorities are equal.
inline std::vector<NearKeys> near_times() {
  using Limits = std::numeric_limits<double>;
  std::vector<std::pair<double, double>> times = {
      {0.0101, 0.0109}, {-0.0109, -0.0101},     // as milliseconds both are 10
      {0.5, 0.75},      {1e19, 2e19},           // as seconds 0, or too many for 64 bits
      {1e306, 1e307},   {Limits::lowest(), 1},  // times 1000, or their difference, are infinite
      {-0.5, 0.5}};
  for (const double time : {-1e9, -1.0, -Limits::denorm_min(), 0.0, 1e-300, 0.3, 1'764'400'000.25})
    times.emplace_back(time, std::nextafter(time, Limits::max()));
  std::vector<NearKeys> keys;
  for (const auto& [one, other] : times) keys.push_back({urgent(0, one), urgent(0, other)});
  return keys;
}

// A float or 16 bits take these priorities for one another, or their difference is no int. The
// times say the opposite.
inline std::vector<NearKeys> near_priorities() {
  constexpr int kMin = std::numeric_limits<int>::min(), kMax = std::numeric_limits<int>::max();
  std::vector<NearKeys> keys;
  for (const auto& [one, other] : {std::pair{kMin, kMax},
                                   {kMin, kMin + 1},
                                   {kMax - 1, kMax},
                                   {-1'500'000'000, 1'500'000'000},
                                   {16'777'216, 16'777'217},
                                   {-1, 0},
                                   {1, 0x10000},
                                   {0x7fff, 0x8000}})
    keys.push_back({urgent(one, 1e12), urgent(other, -1e12)});
  return keys;
}

inline std::vector<NearKeys> near_keys() {
  std::vector<NearKeys> keys = near_times();
  for (const NearKeys& more : near_priorities()) keys.push_back(more);
  return keys;
}

}  // namespace kv::grader

#pragma once
// One request of a warp, and what it costs.

#include <array>
#include <cstdint>

namespace kv::simt {

enum class Space : std::uint8_t { kGlobal, kShared };

struct Request {
  Space space;
  std::uint8_t bytes;                       // for each lane: 1, 2, 4, 8 or 16
  std::uint32_t lanes;                      // that take part
  std::array<std::uint32_t, 32> addresses;  // from the beginning of the space
};

inline constexpr unsigned kSectorBytes = 32;

// The distinct values of at most 32.
struct DistinctValues {
  std::array<std::uint32_t, 32> values;  // the first `count` are set
  unsigned count = 0;
};
DistinctValues distinct_sectors(const Request& request);

// The least number of sectors that could hold what is asked for.
unsigned ideal_sectors(const Request& request);

// How many times shared memory has to be asked. It has 32 banks of 4 bytes; a bank serves one word
// at a time, to as many lanes as want it. Accesses of 8 bytes go by half warps, those of 16 bytes
// by quarter warps.
unsigned wavefronts(const Request& request);
unsigned ideal_wavefronts(const Request& request);

}  // namespace kv::simt

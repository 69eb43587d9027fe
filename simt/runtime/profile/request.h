#pragma once
// One request of a warp, and its cost.

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

// At most 32 values, each once.
struct DistinctValues {
  std::array<std::uint32_t, 32> values;  // the first `count` are set
  unsigned count = 0;
};
DistinctValues distinct_sectors(const Request& request);

// The least number of sectors that could hold these bytes.
unsigned ideal_sectors(const Request& request);

// The passes over shared memory that the request takes. It has 32 banks of 4 bytes; in one pass a
// bank gives one word, to all lanes that want it. Accesses of 8 bytes are made by half warps, those
// of 16 bytes by quarter warps.
unsigned wavefronts(const Request& request);
unsigned ideal_wavefronts(const Request& request);

}  // namespace kv::simt

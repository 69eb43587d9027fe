#pragma once
// What launches have moved in the simulator, summed over their lines and kernels.

#include <cstdint>

#include "simt/session.h"

namespace kv::grader {

struct TrafficSums {
  std::uint64_t requests = 0, sectors = 0, ideal_sectors = 0;  // device memory only
  std::uint64_t sectors_read = 0, sectors_read_wide = 0;       // wide: by 16 bytes a lane
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0;          // shared memory only
  std::uint64_t bytes_written = 0, bytes_moved = 0, bytes_unique = 0;
  std::uint64_t steps = 0, active_lanes = 0;
};

inline TrafficSums sums_of(const simt::Seen& seen) {
  TrafficSums sums;
  for (const simt::LineTraffic& line : seen.lines) {
    sums.requests += line.is_shared ? 0 : line.requests;
    sums.sectors += line.sectors;
    sums.ideal_sectors += line.ideal_sectors;
    sums.wavefronts += line.wavefronts;
    sums.ideal_wavefronts += line.ideal_wavefronts;
    const bool is_read = line.is_read && !line.is_shared;
    sums.sectors_read += is_read ? line.sectors : 0;
    sums.bytes_written += line.is_read || line.is_shared ? 0 : line.bytes;
    sums.sectors_read_wide += is_read && line.width == 16 ? line.sectors : 0;
  }
  for (const simt::LaunchTraffic& kernel : seen.kernels) {
    sums.bytes_moved += kernel.bytes_moved;
    sums.bytes_unique += kernel.bytes_unique;
    sums.steps += kernel.steps;
    sums.active_lanes += kernel.active_lanes;
  }
  return sums;
}

}  // namespace kv::grader

#pragma once
// A shuffle, vote or __syncwarp: lanes of one warp that wait for each other. The last one that the
// mask names computes what each gets.

#include <array>
#include <cstdint>

#include "simt/sync.h"

namespace kv::simt {

struct WarpCall {
  WarpOp op;
  std::uint32_t mask;     // who is to come
  std::uint32_t arrived;  // who has come
  const void* first_site;
  std::array<std::uint64_t, 32> values;
  std::array<int, 32> arguments, widths;
};

// At most one call is pending for each lane.
using WarpCalls = std::array<WarpCall, 32>;

}  // namespace kv::simt

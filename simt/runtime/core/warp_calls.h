#pragma once
// Shuffles, votes and __syncwarp: lanes of one warp wait for each other. The last lane that the
// mask names computes what each lane gets. A set of lanes is a bit mask.

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "simt/runtime/core/findings.h"
#include "simt/sync.h"

namespace kv::simt {

struct WarpCall {
  WarpOp op;
  std::uint32_t mask;     // lanes that have to come
  std::uint32_t arrived;  // lanes that have come
  const void* first_site;
  std::array<std::uint64_t, 32> values;
  std::array<int, 32> arguments, widths;
};

// At most one call is pending for each lane.
using WarpCalls = std::array<WarpCall, 32>;

// warp_op, called for a place in the program.
std::uint64_t warp_op_at(
    Site site, WarpOp op, std::uint32_t mask, std::uint64_t value, int argument, int width);

// A lane has returned: calls no longer wait for it.
void thread_left_warp(unsigned warp);

// No other lane of this warp can come to an __activemask() before one of those that wait in it.
void answer_active_lanes(unsigned warp);

template <typename Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

// "0-15, 20"
std::string text_of_lanes(std::uint32_t lanes);
// "0x0000ffff"
std::string text_of_mask(std::uint32_t mask);

// The product of two tiles whose elements the lanes of a warp share. The values of the call are the
// addresses of a TileProduct for each lane.
void multiply_shares(const WarpCall& call);

// A lane's part in load_matrices: the row that it has read, and the words that it gets. The values
// of the call are the addresses of these.
struct MatrixRow {
  std::array<std::uint16_t, 8> elements;
  unsigned num_matrices;
  bool is_transposed;
  std::uint32_t* words;
};
void hand_out_rows(const WarpCall& call);

}  // namespace kv::simt

// What each lane gets from a call that all of them have made.

#include <algorithm>
#include <bit>

#include "simt/runtime/core/lanes.h"
#include "simt/runtime/core/warp_calls.h"

namespace kv::simt {
namespace {

// The lane a shuffle reads, as PTX defines it; its own where it would leave its segment.
int source_lane(WarpOp op, int lane, int argument, int width) {
  const int first = lane & ~(width - 1);
  const int last = first + width - 1;
  switch (op) {
    case WarpOp::kShuffle:
      return first + (argument & (width - 1));
    case WarpOp::kShuffleUp:
      return lane - argument < first ? lane : lane - argument;
    case WarpOp::kShuffleDown:
      return lane + argument > last ? lane : lane + argument;
    default:
      return (lane ^ argument) > last ? lane : lane ^ argument;
  }
}

void shuffle(const WarpCall& call, Thread* lanes) {
  for_each_lane(call.arrived, [&](unsigned lane) {
    const int source =
        source_lane(call.op, static_cast<int>(lane), call.arguments[lane], call.widths[lane]);
    const bool is_there = source >= 0 && source < 32 && (call.arrived >> source & 1) != 0;
    lanes[lane].result = call.values[is_there ? static_cast<unsigned>(source) : lane];
    if (is_there) return;
    findings.add({.kind = Kind::kInactiveLane,
                  .site = lanes[lane].waits_at,
                  .what = "lane " + std::to_string(lane) + " reads the value of lane " +
                          std::to_string(source) + ", which takes no part in this shuffle (lanes " +
                          text_of_lanes(call.arrived) + " do)"},
                 &lanes[lane]);
  });
}

std::uint64_t combine(WarpOp op, std::uint64_t a, std::uint64_t b) {
  const auto signed_a = static_cast<std::int64_t>(a), signed_b = static_cast<std::int64_t>(b);
  switch (op) {
    case WarpOp::kAdd:
      return a + b;
    case WarpOp::kMin:
      return std::min(a, b);
    case WarpOp::kMax:
      return std::max(a, b);
    case WarpOp::kMinSigned:
      return static_cast<std::uint64_t>(std::min(signed_a, signed_b));
    case WarpOp::kMaxSigned:
      return static_cast<std::uint64_t>(std::max(signed_a, signed_b));
    case WarpOp::kAnd:
      return a & b;
    case WarpOp::kOr:
      return a | b;
    default:
      return a ^ b;
  }
}

void reduce(const WarpCall& call, Thread* lanes) {
  std::uint64_t all = call.values[static_cast<unsigned>(std::countr_zero(call.arrived))];
  const std::uint32_t others = call.arrived & (call.arrived - 1);
  for_each_lane(others, [&](unsigned lane) { all = combine(call.op, all, call.values[lane]); });
  for_each_lane(call.arrived, [&](unsigned lane) { lanes[lane].result = all; });
}

std::uint32_t lanes_with(const WarpCall& call, std::uint64_t value) {
  std::uint32_t equal = 0;
  for_each_lane(call.arrived,
                [&](unsigned lane) { equal |= (call.values[lane] == value ? 1u : 0u) << lane; });
  return equal;
}

}  // namespace

void compute_results(const WarpCall& call, Thread* lanes) {
  switch (call.op) {
    case WarpOp::kSync:
      return;
    case WarpOp::kShuffle:
    case WarpOp::kShuffleUp:
    case WarpOp::kShuffleDown:
    case WarpOp::kShuffleXor:
      return shuffle(call, lanes);
    case WarpOp::kBallot:
      return for_each_lane(call.arrived,
                           [&](unsigned lane) { lanes[lane].result = lanes_with(call, 1); });
    case WarpOp::kMatchAny:
      return for_each_lane(call.arrived, [&](unsigned lane) {
        lanes[lane].result = lanes_with(call, call.values[lane]);
      });
    default:
      return reduce(call, lanes);
  }
}

}  // namespace kv::simt

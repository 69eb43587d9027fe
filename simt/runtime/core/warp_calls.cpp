#include "simt/runtime/core/warp_calls.h"

#include <algorithm>
#include <cstdio>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/happens_before.h"
#include "simt/runtime/core/progress.h"
#include "simt/runtime/core/scheduler.h"

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

void add_tile_finding(const WarpCall& call, Thread* lanes, unsigned lane, std::string what) {
  findings.add({.kind = Kind::kTileCall, .site = call.first_site, .what = std::move(what)},
               &lanes[lane]);
}

void require_whole_warp(const WarpCall& call, Thread* lanes) {
  if (call.arrived == call.mask) return;
  add_tile_finding(call, lanes, static_cast<unsigned>(std::countr_zero(call.arrived)),
                   "only lanes " + text_of_lanes(call.arrived) + " of the warp make this call");
}

void require_same_tile(const WarpCall& call, Thread* lanes) {
  require_whole_warp(call, lanes);
  const auto first = static_cast<unsigned>(std::countr_zero(call.arrived));
  std::uint32_t others = 0;
  for_each_lane(call.arrived, [&](unsigned lane) {
    const bool is_same =
        call.values[lane] == call.values[first] && call.arguments[lane] == call.arguments[first];
    others |= (is_same ? 0u : 1u) << lane;
  });
  if (others == 0) return;
  add_tile_finding(call, lanes, static_cast<unsigned>(std::countr_zero(others)),
                   "lanes " + text_of_lanes(others) +
                       " give another address or leading dimension than lane " +
                       std::to_string(first));
}

// The lanes that are active with this one: all that can be, or in the reverse schedule those of its
// half of the warp. CUDA promises neither.
std::uint32_t active_with(const WarpCall& call, unsigned lane) {
  if (machine.options.schedule == Schedule::kForward) return call.arrived;
  return call.arrived & (0xffffu << lane / 16 * 16);
}

// What each lane gets.
void compute_results(const WarpCall& call, Thread* lanes) {
  if (call.op >= WarpOp::kTileProduct) require_whole_warp(call, lanes);
  switch (call.op) {
    case WarpOp::kSync:
      return;
    case WarpOp::kActive:
      return for_each_lane(call.arrived,
                           [&](unsigned lane) { lanes[lane].result = active_with(call, lane); });
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
    case WarpOp::kTile:
      return require_same_tile(call, lanes);
    case WarpOp::kTileProduct:
      return multiply_shares(call);
    case WarpOp::kMatrixRows:
      return hand_out_rows(call);
    default:
      return reduce(call, lanes);
  }
}

// The pending call that these lanes make together, or a new one.
WarpCall& call_for(Warp& warp, WarpOp op, std::uint32_t mask, Site site) {
  for (std::uint32_t left = warp.pending; left != 0; left &= left - 1) {
    WarpCall& call = warp.calls[static_cast<unsigned>(std::countr_zero(left))];
    const bool is_same_place = op != WarpOp::kActive || call.first_site == site;
    if (call.op == op && call.mask == mask && is_same_place) return call;
  }
  const auto free = static_cast<unsigned>(std::countr_one(warp.pending));
  warp.pending |= 1u << free;
  WarpCall& call = warp.calls[free];
  call.op = op;
  call.mask = mask;
  call.arrived = 0;
  call.first_site = site;
  return call;
}

bool is_complete(const Warp& warp, const WarpCall& call) {
  return call.op != WarpOp::kActive && (call.mask & warp.live & ~call.arrived) == 0;
}

void complete(unsigned number, WarpCall& call) {
  Warp& warp = machine.warps[number];
  compute_results(call, first_thread(number));
  if (call.op == WarpOp::kSync) order_lanes(warp, call.arrived);
  if (call.arrived == warp.live) ++machine.num_convergences;
  make_ready(number, call.arrived);
  warp.pending &= ~(1u << (&call - warp.calls.data()));
}

void require_own_lane(const Thread& me, std::uint32_t mask) {
  if ((mask >> me.lane & 1) != 0) return;
  fail(cudaErrorLaunchFailure,
       {.kind = Kind::kLaneNotInMask,
        .site = me.waits_at,
        .what = "lane " + std::to_string(me.lane) + " makes this call with mask " +
                text_of_mask(mask) + ", which does not name it"});
}

void compare_places(const Thread& me, const WarpCall& call) {
  if (call.first_site == me.waits_at) return;
  findings.add({.kind = Kind::kDifferentCalls,
                .site = me.waits_at,
                .what = "lane " + std::to_string(me.lane) + " makes this call, and lanes " +
                        text_of_lanes(call.arrived) + " of the same mask make another one",
                .notes = {{"they wait here", call.first_site}}});
}

}  // namespace

void thread_left_warp(unsigned number) {
  Warp& warp = machine.warps[number];
  for (std::uint32_t left = warp.pending; left != 0; left &= left - 1) {
    WarpCall& call = warp.calls[static_cast<unsigned>(std::countr_zero(left))];
    if (is_complete(warp, call)) complete(number, call);
  }
}

void answer_active_lanes(unsigned number) {
  Warp& warp = machine.warps[number];
  for (std::uint32_t left = warp.pending; left != 0; left &= left - 1) {
    WarpCall& call = warp.calls[static_cast<unsigned>(std::countr_zero(left))];
    if (call.op == WarpOp::kActive) complete(number, call);
  }
}

std::string text_of_lanes(std::uint32_t lanes) {
  std::string text;
  while (lanes != 0) {
    const int first = std::countr_zero(lanes);
    const int length = std::countr_one(lanes >> first);
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (length > 1) text += "-" + std::to_string(first + length - 1);
    if (first + length == 32) break;
    lanes &= ~0u << (first + length);
  }
  return text;
}

std::string text_of_mask(std::uint32_t mask) {
  char text[11];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

std::uint64_t warp_op_at(
    Site site, WarpOp op, std::uint32_t mask, std::uint64_t value, int argument, int width) {
  const PauseChecks pause;
  Thread& me = self();
  Warp& warp = warp_of(me);
  me.waits_at = site;
  progress.add_work(kWaitWork);
  require_own_lane(me, mask);
  WarpCall& call = call_for(warp, op, mask, me.waits_at);
  compare_places(me, call);
  call.arrived |= 1u << me.lane;
  call.values[me.lane] = value;
  call.arguments[me.lane] = argument;
  call.widths[me.lane] = width;
  me.state = State::kInWarpCall;
  warp.ready &= ~(1u << me.lane);
  if (is_complete(warp, call)) complete(me.warp, call);
  if (me.state == State::kInWarpCall || machine.is_lockstep) sleep();
  return me.result;
}

unsigned long long warp_op(
    WarpOp op, unsigned mask, unsigned long long value, int argument, int width) {
  return warp_op_at(__builtin_return_address(0), op, mask, value, argument, width);
}

// Why it waits: threads run one by one here, on hardware a warp runs together. All lanes that come
// to this call before they wait elsewhere are active in it.
unsigned active_lanes() {
  const PauseChecks pause;
  Thread& me = self();
  Warp& warp = warp_of(me);
  me.waits_at = __builtin_return_address(0);
  WarpCall& call = call_for(warp, WarpOp::kActive, 0, me.waits_at);
  call.arrived |= 1u << me.lane;
  me.state = State::kInWarpCall;
  warp.ready &= ~(1u << me.lane);
  sleep();
  return static_cast<unsigned>(me.result);
}

}  // namespace kv::simt

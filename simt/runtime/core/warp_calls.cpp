#include "simt/runtime/core/warp_calls.h"

#include <bit>

#include "simt/runtime/core/lanes.h"
#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/memory/order.h"
#include "simt/runtime/profile/profile.h"

namespace kv::simt {
namespace {

// The pending call that these lanes make together, or a new one.
WarpCall& call_for(Warp& warp, WarpOp op, std::uint32_t mask, Site site) {
  for (std::uint32_t left = warp.pending; left != 0; left &= left - 1) {
    WarpCall& call = warp.calls[static_cast<unsigned>(std::countr_zero(left))];
    if (call.op == op && call.mask == mask) return call;
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
  return (call.mask & warp.live & ~call.arrived) == 0;
}

void complete(unsigned number, WarpCall& call) {
  Warp& warp = machine.warps[number];
  compute_results(call, first_thread(number));
  if (call.op == WarpOp::kSync) order_lanes(warp, call.arrived);
  if (call.arrived == warp.live) profile.converge();
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

unsigned long long warp_op(
    WarpOp op, unsigned mask, unsigned long long value, int argument, int width) {
  const Unwatched unwatched;
  Thread& me = self();
  Warp& warp = warp_of(me);
  me.waits_at = __builtin_return_address(0);
  me.steps_when_waiting = me.steps;
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
  if (me.state == State::kInWarpCall || machine.options.is_lockstep) sleep();
  return me.result;
}

unsigned active_lanes() {
  return warp_of(self()).ready;
}

}  // namespace kv::simt

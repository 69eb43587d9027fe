#include "simt/runtime/core/scheduler.h"

#include <bit>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/held_races.h"
#include "simt/runtime/core/numbered_barriers.h"
#include "simt/runtime/core/warp_calls.h"

extern "C" uint3 threadIdx;

namespace kv::simt {
namespace {

Thread* next_of(unsigned number) {
  Warp& warp = machine.warps[number];
  if ((warp.ready & ~warp.resting) == 0 && warp.pending != 0) answer_active_lanes(number);
  if (warp.ready == 0) return nullptr;
  if ((warp.ready & ~warp.resting) == 0) warp.resting = 0;
  const std::uint32_t lanes = warp.ready & ~warp.resting;
  return first_thread(number) +
         (machine.is_lockstep ? next_in_step(number, lanes) : first_lane(lanes));
}

unsigned warp_after(unsigned number) {
  const unsigned last = machine.num_warps - 1;
  if (machine.options.schedule == Schedule::kForward) return number == last ? 0 : number + 1;
  return number == 0 ? last : number - 1;
}

void switch_to(Thread& next) {
  Thread& me = self();
  if (&next == &me) return;
  if (next.warp != me.warp) ++machine.num_convergences;
  const bool was_checking = machine.is_checking;
  make_current(next);
  kv_simt_switch(&me.fiber, next.fiber);
  machine.is_checking = was_checking;
}

struct Pending {
  const Warp* warp;
  const WarpCall* call;
};

Pending first_pending() {
  unsigned warp = 0;
  while (machine.warps[warp].pending == 0) ++warp;
  const auto call = static_cast<unsigned>(std::countr_zero(machine.warps[warp].pending));
  return {&machine.warps[warp], &machine.warps[warp].calls[call]};
}

// No thread can run. __syncthreads() opens when all live threads wait at it, so some wait at a
// barrier with a number, or some lanes in a warp call for lanes that wait elsewhere.
[[noreturn]] void explain_deadlock() {
  explain_numbered_barriers();
  const auto [warp, call] = first_pending();
  const std::uint32_t missing = call->mask & warp->live & ~call->arrived;
  const auto first = static_cast<std::size_t>(warp - machine.warps.data()) * 32;
  const Thread& absent =
      machine.threads[first + static_cast<std::size_t>(std::countr_zero(missing))];
  const bool is_in_other_call = absent.state == State::kInWarpCall;
  const std::string lanes = text_of_lanes(missing);
  fail(cudaErrorLaunchFailure,
       {.kind = is_in_other_call ? Kind::kDifferentCalls : Kind::kMissingLanes,
        .site = call->first_site,
        .what = "lanes " + text_of_lanes(call->arrived) + " wait in this call for lanes " + lanes +
                ", which mask " + text_of_mask(call->mask) + " names and which never come",
        .notes = {{"lane " + std::to_string(absent.lane) + " waits here instead, " +
                       (is_in_other_call ? "in another call" : "at a barrier"),
                   absent.waits_at}}});
}

void run_next(unsigned first_warp) {
  Thread* const next = next_thread(first_warp);
  if (next == nullptr) explain_deadlock();
  switch_to(*next);
}

}  // namespace

Thread* next_thread(unsigned first_warp) {
  unsigned warp = first_warp;
  do {
    if (Thread* const thread = next_of(warp)) return thread;
    warp = warp_after(warp);
  } while (warp != first_warp);
  return nullptr;
}

void make_current(Thread& thread) {
  settle_writes();
  machine.current = &thread;
  machine.clock = &warp_of(thread).clocks[thread.lane][thread.lane];
  machine.stack_bottom = machine.stacks.bottom(thread.number);
  threadIdx = thread.index;
}

void sleep() {
  run_next(self().warp);
}

// Why not only sleep(): most steps end so, and this is the way of a few instructions.
void end_step() {
  Warp& warp = warp_of(self());
  const std::uint32_t lanes = warp.group & warp.ready & ~warp.resting;
  if (lanes == 0) return sleep();
  const unsigned lane = first_lane(lanes);
  warp.group = lanes & ~(1u << lane);
  switch_to(first_thread(self().warp)[lane]);
}

void yield_to_others() {
  warp_of(self()).resting |= 1u << self().lane;
  run_next(warp_after(self().warp));
}

void make_ready(unsigned warp, std::uint32_t lanes) {
  const std::uint32_t live = lanes & machine.warps[warp].live;
  machine.warps[warp].ready |= live;
  Thread* const first = first_thread(warp);
  for_each_lane(live, [&](unsigned lane) { first[lane].state = State::kReady; });
}

namespace {

bool goes_first(const Thread& a, const Thread& b) {
  return a.depth != b.depth ? a.depth > b.depth : a.step < b.step;
}

std::uint32_t choose_group(const Thread* warp, std::uint32_t lanes) {
  const Thread* first = nullptr;
  std::uint32_t chosen = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    const Thread& thread = warp[lane];
    if (first == nullptr || goes_first(thread, *first)) {
      first = &thread;
      chosen = 0;
    }
    if (!goes_first(*first, thread)) chosen |= 1u << lane;
  });
  return chosen;
}

constexpr std::size_t kMaxFirstSteps = 4096;

void note_step(unsigned warp, std::uint32_t lanes) {
  const bool is_wanted = machine.options.has_details &&
                         machine.block_number == machine.first_block &&
                         machine.first_steps.size() < kMaxFirstSteps;
  if (!is_wanted) return;
  const Thread& first = first_thread(warp)[std::countr_zero(lanes)];
  if (first.step != nullptr) machine.first_steps.push_back({warp, lanes, first.step});
}

}  // namespace

unsigned first_lane(std::uint32_t lanes) {
  const bool forward = machine.options.schedule == Schedule::kForward;
  return static_cast<unsigned>(forward ? std::countr_zero(lanes) : 31 - std::countl_zero(lanes));
}

unsigned next_in_step(unsigned warp, std::uint32_t lanes) {
  std::uint32_t& group = machine.warps[warp].group;
  group &= lanes;
  if (group == 0) {
    ++machine.num_convergences;
    group = choose_group(first_thread(warp), lanes);
    note_step(warp, group);
    ++machine.num_steps;
    machine.num_active_lanes += static_cast<std::uint64_t>(std::popcount(group));
  }
  const unsigned lane = first_lane(group);
  group &= ~(1u << lane);
  return lane;
}

}  // namespace kv::simt

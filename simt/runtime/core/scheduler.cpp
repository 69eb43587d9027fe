#include "simt/runtime/core/scheduler.h"

#include "simt/runtime/core/lanes.h"
#include "simt/runtime/core/lockstep.h"
#include "simt/runtime/core/warp_calls.h"
#include "simt/runtime/profile/profile.h"

extern "C" uint3 threadIdx;

namespace kv::simt {
namespace {

Thread* next_of(unsigned number) {
  Warp& warp = machine.warps[number];
  if (warp.ready == 0) return nullptr;
  if ((warp.ready & ~warp.resting) == 0) warp.resting = 0;
  const std::uint32_t lanes = warp.ready & ~warp.resting;
  const bool is_lockstep = machine.options.is_lockstep;
  return first_thread(number) + (is_lockstep ? next_in_step(number, lanes) : first_lane(lanes));
}

unsigned warp_after(unsigned number) {
  const unsigned last = machine.num_warps - 1;
  if (machine.options.schedule == Schedule::kForward) return number == last ? 0 : number + 1;
  return number == 0 ? last : number - 1;
}

void switch_to(Thread& next) {
  Thread& me = self();
  if (&next == &me) return;
  if (next.warp != me.warp) profile.converge();
  const bool was_watching = machine.is_watching;
  become(next);
  kv_simt_switch(&me.fiber, next.fiber);
  machine.is_watching = was_watching;
}

void give_way(unsigned first_warp) {
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

void become(Thread& thread) {
  machine.current = &thread;
  machine.stack_bottom = machine.stacks.bottom(thread.number);
  threadIdx = thread.index;
}

void sleep() {
  give_way(self().warp);
}

void let_others_go() {
  warp_of(self()).resting |= 1u << self().lane;
  give_way(warp_after(self().warp));
}

void make_ready(unsigned warp, std::uint32_t lanes) {
  const std::uint32_t live = lanes & machine.warps[warp].live;
  machine.warps[warp].ready |= live;
  Thread* const first = first_thread(warp);
  for_each_lane(live, [&](unsigned lane) { first[lane].state = State::kReady; });
}

}  // namespace kv::simt

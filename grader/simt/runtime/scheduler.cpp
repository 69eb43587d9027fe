#include "grader/simt/runtime/scheduler.h"

#include <bit>

#include "grader/simt/runtime/lockstep.h"
#include "grader/simt/runtime/profile.h"
#include "grader/simt/runtime/warp_calls.h"

extern "C" uint3 threadIdx;

namespace kv::simt {
namespace {

Thread* next_of(Warp& warp) {
  if (warp.ready == 0) return nullptr;
  if ((warp.ready & ~warp.resting) == 0) warp.resting = 0;
  const std::uint32_t lanes = warp.ready & ~warp.resting;
  const unsigned lane = machine.options.is_lockstep ? next_in_step(warp, lanes) : first_lane(lanes);
  const auto number = static_cast<std::size_t>(&warp - machine.warps.data());
  return &machine.threads[number * 32 + lane];
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
  const unsigned n = machine.num_warps;
  const bool forward = machine.options.schedule == Schedule::kForward;
  for (unsigned i = 0; i < n; ++i) {
    const unsigned warp = (forward ? first_warp + i : first_warp + n - i) % n;
    if (Thread* const thread = next_of(machine.warps[warp])) return thread;
  }
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
  give_way((self().warp + 1) % machine.num_warps);
}

void make_ready(Warp& warp, std::uint32_t lanes) {
  warp.ready |= lanes & warp.live;
  Thread* const first =
      &machine.threads[static_cast<std::size_t>(&warp - machine.warps.data()) * 32];
  for (std::uint32_t left = lanes & warp.live; left != 0; left &= left - 1) {
    first[std::countr_zero(left)].state = State::kReady;
  }
}

}  // namespace kv::simt

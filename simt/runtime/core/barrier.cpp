#include "simt/runtime/core/barrier.h"

#include <algorithm>

#include "simt/runtime/core/progress.h"
#include "simt/runtime/core/scheduler.h"

namespace kv::simt {
namespace {

// The hardware lets the others pass, but CUDA asks that all threads reach the barrier.
void report_missing_threads() {
  const Thread& gone =
      *std::find_if(machine.threads.begin(), machine.threads.begin() + machine.num_threads,
                    [](const Thread& thread) { return thread.state == State::kExited; });
  const Thread& waiting = *machine.first_waiting;
  const unsigned num_gone = machine.num_threads - machine.num_live;
  const std::string others = num_gone == 1 ? "" : " and " + std::to_string(num_gone - 1) + " more";
  findings.add({.kind = Kind::kBarrierNotReached,
                .site = waiting.waits_at,
                .what = name_of(waiting) + " waits at this barrier, and " + name_of(gone) + others +
                        " returned without reaching it"},
               &waiting);
}

void open_barrier() {
  if (machine.num_live < machine.num_threads) report_missing_threads();
  ++machine.num_convergences;
  ++machine.epoch;
  progress.barrier_opened();
  machine.tally = {static_cast<int>(machine.num_true), static_cast<int>(machine.num_waiting)};
  machine.num_waiting = machine.num_true = 0;
  for (unsigned i = 0; i < machine.num_warps; ++i) {
    make_ready(i, machine.warps[i].live);
  }
}

void compare_with_others(const Thread& me) {
  const Thread& other = *machine.first_waiting;
  if (other.waits_at == me.waits_at) return;
  findings.add({.kind = Kind::kDivergentBarrier,
                .site = me.waits_at,
                .what = name_of(me) + " waits at this barrier while others of its block wait at " +
                        "another one",
                .notes = {{name_of(other) + " waits here", other.waits_at}}});
}

}  // namespace

void thread_left_barrier() {
  if (machine.num_waiting == machine.num_live) open_barrier();
}

Tally block_barrier(bool predicate) {
  return barrier_at(predicate, __builtin_return_address(0));
}

Tally barrier_at(bool predicate, Site site) {
  const PauseChecks pause;
  Thread& me = self();
  me.waits_at = site;
  progress.add_work(kWaitWork);
  if (machine.num_waiting == 0) machine.first_waiting = &me;
  compare_with_others(me);
  me.state = State::kAtBarrier;
  warp_of(me).ready &= ~(1u << me.lane);
  machine.num_true += predicate;
  ++machine.num_waiting;
  if (machine.num_waiting == machine.num_live) open_barrier();
  // Why the last thread sleeps too in lockstep: its warp continues together.
  if (me.state == State::kAtBarrier || machine.options.is_lockstep) sleep();
  return machine.tally;
}

}  // namespace kv::simt

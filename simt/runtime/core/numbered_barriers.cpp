#include "simt/runtime/core/numbered_barriers.h"

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/happens_before.h"
#include "simt/runtime/core/progress.h"
#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/core/warp_calls.h"
#include "simt/sync.h"

namespace kv::simt {
namespace {

constexpr unsigned kNumBarriers = 16;

struct Barrier {
  unsigned phase = 0;
  unsigned num_expected = 0;                                  // threads of this phase; 0: none yet
  std::array<std::uint32_t, kMaxThreads / 32> come, waiting;  // lanes of each warp

  // The hardware counts warps: one is there when all its lanes that have not returned are.
  unsigned num_come() const {
    unsigned count = 0;
    for (unsigned warp = 0; warp < machine.num_warps; ++warp) {
      const bool is_there = come[warp] != 0 && (machine.warps[warp].live & ~come[warp]) == 0;
      count += is_there ? 32 : 0;
    }
    return count;
  }
};

struct Barriers {
  std::uint32_t block;
  std::array<Barrier, kNumBarriers> all;
};
Barriers barriers;

Barrier& barrier_of_block(unsigned number) {
  if (barriers.block != machine.block_number) barriers = {machine.block_number, {}};
  return barriers.all[number];
}

// What orders a phase: an address that nothing else has. Four phases in turns are enough: no thread
// comes to the next but one before all have left this one.
std::uintptr_t key_of(unsigned number, unsigned phase) {
  return ~((std::uintptr_t{machine.block_number} * kNumBarriers + number) * 4 + phase % 4);
}

[[noreturn]] void refuse(Site site, const std::string& what) {
  fail(cudaErrorLaunchFailure, {.kind = Kind::kNumberedBarrier, .site = site, .what = what});
}

// Wakes those that wait, if all have come.
void open_if_complete(Barrier& barrier) {
  if (barrier.num_expected == 0 || barrier.num_come() < barrier.num_expected) return;
  if (barrier.num_expected >= machine.num_live) ++machine.epoch;
  const Barrier complete = barrier;
  barrier = {.phase = complete.phase + 1, .num_expected = 0, .come = {}, .waiting = {}};
  for (unsigned warp = 0; warp < machine.num_warps; ++warp)
    make_ready(warp, complete.waiting[warp]);
}

Barrier& come_to(unsigned number, unsigned num_threads, Site site) {
  const std::string name = "barrier " + std::to_string(number);
  if (number >= kNumBarriers) refuse(site, "there is no " + name);
  if (num_threads % 32 != 0)
    refuse(site, name + " is to wait for " + std::to_string(num_threads) + " threads");
  Barrier& barrier = barrier_of_block(number);
  if (barrier.num_expected != 0 && barrier.num_expected != num_threads) {
    refuse(site, name_of(self()) + " comes to " + name + " of " + std::to_string(num_threads) +
                     " threads, and others to one of " + std::to_string(barrier.num_expected));
  }
  barrier.num_expected = num_threads;
  barrier.come[self().warp] |= 1u << self().lane;
  release_at(key_of(number, barrier.phase));
  return barrier;
}

unsigned whole_block() {
  return (machine.num_threads + 31) / 32 * 32;
}

}  // namespace

void arrive_at_barrier(unsigned number, unsigned num_threads) {
  const PauseChecks pause;
  open_if_complete(come_to(number, num_threads, __builtin_return_address(0)));
}

void wait_at_barrier(unsigned number, unsigned num_threads) {
  const Site site = __builtin_return_address(0);
  if (num_threads == 0) num_threads = whole_block();
  if (number == 0 && num_threads == whole_block()) {
    barrier_at(false, site);
    return;
  }
  const PauseChecks pause;
  Thread& me = self();
  Barrier& barrier = come_to(number, num_threads, site);
  const std::uintptr_t key = key_of(number, barrier.phase);
  me.waits_at = site;
  me.state = State::kAtNumberedBarrier;
  progress.add_work(kWaitWork);
  warp_of(me).ready &= ~(1u << me.lane);
  barrier.waiting[me.warp] |= 1u << me.lane;
  open_if_complete(barrier);
  // Why the last thread sleeps too in lockstep: its warp continues together.
  if (me.state == State::kAtNumberedBarrier || machine.is_lockstep) sleep();
  acquire_at(key);
}

void thread_left_numbered_barriers() {
  if (barriers.block != machine.block_number) return;
  for (Barrier& barrier : barriers.all) open_if_complete(barrier);
}

void explain_numbered_barriers() {
  if (barriers.block != machine.block_number) return;
  for (unsigned number = 0; number < kNumBarriers; ++number) {
    const Barrier& barrier = barriers.all[number];
    for (unsigned warp = 0; warp < machine.num_warps; ++warp) {
      if (barrier.waiting[warp] == 0) continue;
      const Thread& thread = first_thread(warp)[std::countr_zero(barrier.waiting[warp])];
      fail(cudaErrorLaunchFailure,
           {.kind = Kind::kNumberedBarrier,
            .site = thread.waits_at,
            .what = name_of(thread) + " waits at barrier " + std::to_string(number) + " of " +
                    std::to_string(barrier.num_expected) + " threads, of which " +
                    std::to_string(barrier.num_come()) + " come"},
           &thread);
    }
  }
}

}  // namespace kv::simt

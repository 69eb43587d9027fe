#include "simt/runtime/core/block.h"

#include <algorithm>

#include "simt/runtime/core/held_races.h"
#include "simt/runtime/core/numbered_barriers.h"
#include "simt/runtime/core/progress.h"
#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/core/warp_calls.h"

// The runtime writes these; kernels read them as constants (simt/builtins.h).
extern "C" {
uint3 threadIdx;
uint3 blockIdx;
uint3 blockDim;
uint3 gridDim;
}

namespace kv::simt {
namespace {

[[noreturn]] void return_to_host() {
  settle_writes();
  for (unsigned i = 0; i < machine.num_threads; ++i) settle_read(machine.threads[i]);
  Fiber forgotten;
  const Fiber host = machine.host;
  machine.current = nullptr;
  machine.stack_bottom = 0;
  machine.is_checking = machine.is_in_range = machine.is_copying_padding = false;
  machine.is_volatile = false;
  kv_simt_switch(&forgotten, host);
  __builtin_unreachable();
}

[[noreturn]] void end_thread() {
  Thread& me = self();
  Warp& warp = warp_of(me);
  me.state = State::kExited;
  warp.live &= ~(1u << me.lane);
  warp.ready &= ~(1u << me.lane);
  progress.thread_ended();
  if (--machine.num_live == 0) return_to_host();
  thread_left_barrier();
  thread_left_numbered_barriers();
  thread_left_warp(me.warp);
  sleep();
  __builtin_unreachable();
}

// Every fiber begins here.
void thread_main() {
  machine.is_checking = false;
  try {
    machine.call->enter(*machine.call);
  } catch (...) {
    machine.exception = std::current_exception();
  }
  machine.is_checking = false;
  if (machine.exception) return_to_host();
  end_thread();
}

void set_up_thread(unsigned number) {
  const dim3& size = machine.shape.block;
  Thread& thread = machine.threads[number];
  thread = {};
  thread.index = {number % size.x, number / size.x % size.y, number / size.x / size.y};
  thread.number = number;
  thread.lane = number % 32;
  thread.warp = number / 32;
  thread.turn_end = kTurn;
  thread.next_look = machine.is_lockstep ? 0 : kTurn;
  thread.fiber = new_fiber(machine.stacks.top(number), thread_main);
  warp_of(thread).live |= 1u << thread.lane;
}

void set_up_block() {
  machine.num_threads = machine.shape.block.x * machine.shape.block.y * machine.shape.block.z;
  machine.num_warps = (machine.num_threads + 31) / 32;
  machine.num_live = machine.num_threads;
  machine.num_waiting = machine.num_true = 0;
  machine.epoch = 0;
  machine.num_grid_barriers = 0;
  for (unsigned i = 0; i < machine.num_warps; ++i) {
    Warp& warp = machine.warps[i];
    warp.live = warp.ready = warp.resting = warp.group = warp.pending = 0;
    warp.clocks = {};
  }
  machine.stacks.guard(machine.num_threads);
  for (unsigned i = 0; i < machine.num_threads; ++i) set_up_thread(i);
  for (unsigned i = 0; i < machine.num_warps; ++i) {
    machine.warps[i].ready = machine.warps[i].live;
  }
}

}  // namespace

void run_block(uint3 block) {
  blockIdx = block;
  blockDim = machine.shape.block;
  gridDim = machine.shape.grid;
  ++machine.block_number;
  set_up_block();
  const bool forward = machine.options.schedule == Schedule::kForward;
  Thread& first = *next_thread(forward ? 0 : machine.num_warps - 1);
  make_current(first);
  kv_simt_switch(&machine.host, first.fiber);
  ++machine.num_convergences;
}

void fail(cudaError_t why, Finding finding, const Thread* thread) {
  {
    const PauseChecks pause;
    findings.add(std::move(finding), thread);
  }
  machine.failure = why;
  ++machine.num_abandoned;
  return_to_host();
}

void thread_begins() {
  machine.is_checking = true;
}

// The barrier.
namespace {

// A return ends functions, which have basic blocks, too: one of the kernel, the kernel, five of the
// launch.
constexpr std::uint64_t kMaxStepsToEnd = 24;

// Whether its last statement was "return;", and not the kernel's last statement.
bool has_returned_early(const Thread& thread) {
  return thread.return_step != 0 && thread.steps - thread.return_step <= kMaxStepsToEnd;
}

// The hardware lets the others pass, but CUDA asks that all threads that have not returned reach
// the barrier: none may go past it.
void report_missing_threads() {
  std::vector<const Thread*> gone;
  for (unsigned i = 0; i < machine.num_threads; ++i)
    if (machine.threads[i].state == State::kExited) gone.push_back(&machine.threads[i]);
  const auto passed_by = std::ranges::find_if_not(
      gone, [](const Thread* thread) { return has_returned_early(*thread); });
  const bool is_allowed = passed_by == gone.end();
  const Thread& named = is_allowed ? *gone.front() : **passed_by;
  const Thread& waiting = *machine.first_waiting;
  const std::string others =
      gone.size() == 1 ? "" : " and " + std::to_string(gone.size() - 1) + " more";
  findings.add({.kind = is_allowed ? Kind::kEarlyReturn : Kind::kBarrierNotReached,
                .site = waiting.waits_at,
                .what = name_of(waiting) + " waits at this barrier, and " + name_of(named) +
                        others + " returned without reaching it"},
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

void returns_early() {
  if (machine.current != nullptr) self().return_step = self().steps;
}

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
  if (me.state == State::kAtBarrier || machine.is_lockstep) sleep();
  return machine.tally;
}

}  // namespace kv::simt

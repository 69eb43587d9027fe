#include "simt/runtime/core/block.h"

#include "simt/runtime/core/barrier.h"
#include "simt/runtime/core/held_races.h"
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
  thread.next_look = machine.options.is_lockstep ? 0 : kTurn;
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

}  // namespace kv::simt

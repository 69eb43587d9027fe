#pragma once
// The machine while a kernel runs: threads, warps, the block, the launch. One block at a time and
// one CUDA thread at a time, all on one thread of the host, so nothing here needs a lock.

#include <array>
#include <cstdint>
#include <exception>
#include <string>

#include "simt/kernel_call.h"
#include "simt/runtime/core/fiber.h"
#include "simt/runtime/core/stacks.h"
#include "simt/runtime/core/warp_call.h"
#include "simt/runtime/options.h"
#include "simt/runtime/report/findings.h"

namespace kv::simt {

enum class State : std::uint8_t { kReady, kAtBarrier, kInWarpCall, kExited };

struct Thread {
  Fiber fiber;
  uint3 index;
  unsigned number;  // in its block
  unsigned lane, warp;
  State state;
  Site waits_at;                     // its barrier, or its call for the whole warp
  std::uint64_t result;              // of that call
  std::uint64_t steps;               // basic blocks so far
  std::uint64_t steps_when_waiting;  // when it last waited for others
  std::uint64_t next_turn;           // with so many it lets others go
  unsigned depth;                    // of function calls; lockstep
  Site step;                         // the basic block that it began last
  bool has_fenced;                   // called __threadfence(), see order.h
};

struct Warp {
  std::uint32_t live;     // lanes that have not returned
  std::uint32_t ready;    // lanes that could run
  std::uint32_t resting;  // of these: those that let others go first
  std::uint32_t group;    // whose step it is, and who have not gone yet; see lockstep.h
  std::uint32_t pending;  // of these calls: those that lanes wait in
  WarpCalls calls;
  std::array<std::array<std::uint16_t, 32>, 32> clocks;  // see order.h
};

struct Machine {
  Thread* current = nullptr;        // nullptr: the host runs
  std::uintptr_t stack_bottom = 0;  // of the current thread
  bool is_watching = false;         // what runs now is the kernel's own code

  // the block
  std::uint32_t block_number = 0;  // counted from 1, through all launches
  unsigned num_threads = 0, num_warps = 0, num_live = 0, num_waiting = 0, num_true = 0;
  const Thread* first_waiting = nullptr;  // at the barrier
  Tally tally = {};                       // of the last barrier
  std::uint16_t epoch = 0;                // barriers that this block has passed
  std::array<Thread, kMaxThreads> threads;
  std::array<Warp, kMaxThreads / 32> warps;

  // the launch
  LaunchShape shape = {};
  const KernelCall* call = nullptr;
  std::string kernel_name;
  std::uint32_t launch_number = 0;
  std::exception_ptr exception;       // that a thread threw: the launch is dropped
  cudaError_t failure = cudaSuccess;  // what ended the launch
  Fiber host = nullptr;

  Options options;
  Stacks stacks;
};

extern Machine machine;

// While the runtime itself reads and writes, nobody watches.
class Unwatched {
 public:
  Unwatched() : was_watching_(machine.is_watching) { machine.is_watching = false; }
  ~Unwatched() { machine.is_watching = was_watching_; }
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;

 private:
  bool was_watching_;
};

inline Thread& self() {
  return *machine.current;
}
inline Warp& warp_of(const Thread& thread) {
  return machine.warps[thread.warp];
}

// Lane 0 of a warp; the other lanes follow.
inline Thread* first_thread(unsigned warp) {
  return &machine.threads[warp * 32];
}

// "(3,0,0)"
std::string text(const uint3& index);
// "thread (3,0,0)"
std::string name_of(const Thread& thread);

}  // namespace kv::simt

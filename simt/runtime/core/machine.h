#pragma once
// The machine while a kernel runs: threads, warps, the block, the launch. One block runs at a
// time, and in it one CUDA thread, all on one thread of the host: nothing here needs a lock.

#include <pthread.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include <array>
#include <cstdint>
#include <exception>
#include <string>

#include "simt/kernel_call.h"
#include "simt/runtime/core/fiber.h"
#include "simt/runtime/core/findings.h"
#include "simt/runtime/core/warp_calls.h"

namespace kv::simt {

enum class Schedule { kForward, kReverse };

// How a program is run. Read from the environment, because the arguments belong to the program.
struct Options {
  Schedule schedule = Schedule::kForward;  // KV_SIMT_SCHEDULE=reverse: last lane, warp, block first
  bool is_lockstep = false;                // KV_SIMT_LOCKSTEP=1, see scheduler.h
  bool has_profile = true;                 // KV_SIMT_PROFILE=0
  bool has_sample = true;                  // it counts a part of the blocks of a large launch
  bool has_details = false;                // KV_SIMT_DETAILS=1: in the report, for a page
  std::uint64_t budget = 3u << 28;         // KV_SIMT_BUDGET: basic blocks without progress
  std::string report_file;                 // KV_SIMT_REPORT
};

Options options_from_environment();

enum class State : std::uint8_t { kReady, kAtBarrier, kAtNumberedBarrier, kInWarpCall, kExited };

struct Thread {
  Fiber fiber;
  uint3 index;
  unsigned number;  // in its block
  unsigned lane, warp;
  State state;
  Site waits_at;                  // its barrier, or its warp call
  std::uint64_t result;           // what that call gives
  std::uint64_t steps;            // basic blocks so far
  std::uint64_t next_look;        // after this many the scheduler looks at it; in lockstep always
  std::uint64_t steps_looked_at;  // at the end of its last turn
  std::uint64_t turn_end;         // after this many it lets others run
  std::uintptr_t last_access;  // the last memory that it shares with others; 0: none in this turn
  unsigned depth;              // function calls that are open; lockstep
  Site step;                   // the basic block that it began last
  const void* last_read;       // its last read of device or shared memory, and where in the program
  Site last_read_site;
  unsigned num_fences;         // calls of __threadfence(), see happens_before.h
  std::uint16_t fence_clock;   // clock of the last fence: what has a smaller one comes before it
  std::uint64_t return_step;   // the basic block of its last early return, counted as steps
  unsigned num_grid_barriers;  // that it has passed, see host/device.h
};

inline constexpr unsigned kMaxCalls = 32;  // the open calls of a thread that are kept

struct Warp {
  std::uint32_t live;     // lanes that have not returned
  std::uint32_t ready;    // lanes that can run
  std::uint32_t resting;  // ready lanes that let others run first
  std::uint32_t group;    // lanes that still have to take this step; see scheduler.h
  std::uint32_t pending;  // which of these calls have lanes that wait
  WarpCalls calls;
  std::array<std::array<std::uint16_t, 32>, 32> clocks;  // see happens_before.h
};

// In lockstep: lanes of a warp that begin a basic block together.
struct Step {
  unsigned warp;
  std::uint32_t lanes;
  Site site;
};

struct Machine {
  pthread_t owner = {};  // the host's thread that uses CUDA

  Thread* current = nullptr;             // nullptr: the host runs
  const std::uint16_t* clock = nullptr;  // the current thread's, see happens_before.h
  std::uintptr_t stack_bottom = 0;       // lowest address of the current thread's stack
  bool is_checking = false;              // the kernel's own code is running
  bool is_in_range = false;              // one copy of many bytes is checked piece by piece
  bool is_copying_padding = false;       // in a struct; what is not written of it is only padding
  bool is_volatile = false;              // the access that is checked

  // the block
  bool is_counting = false;  // for the profile
  bool is_lockstep = false;
  std::uint32_t block_number = 0;  // counted from 1, through all launches
  unsigned num_threads = 0, num_warps = 0, num_live = 0, num_waiting = 0, num_true = 0;
  const Thread* first_waiting = nullptr;  // at the barrier
  Tally tally = {};                       // the last barrier's counts
  std::uint16_t epoch = 0;                // barriers that this block has passed
  unsigned num_grid_barriers = 0;         // grid barriers at which this block has stopped
  std::array<Thread, kMaxThreads> threads;
  std::array<Warp, kMaxThreads / 32> warps;
  // Where the open calls of each thread were made; the outermost ones, if there are many.
  std::array<std::array<Site, kMaxCalls>, kMaxThreads> calls;

  // the launch
  LaunchShape shape = {};
  const KernelCall* call = nullptr;
  std::string kernel_name;
  Site launch_site = nullptr;
  std::uint32_t launch_number = 0;
  std::uint32_t first_block = 0;      // its number
  std::uint32_t num_abandoned = 0;    // launches so far that a finding ended
  std::exception_ptr exception;       // that a thread threw: the launch is dropped
  cudaError_t failure = cudaSuccess;  // what ended the launch
  Fiber host = nullptr;

  // for the profile
  std::uint64_t num_convergences = 0;  // times that the lanes of the running warp came together
  std::uint64_t num_steps = 0;         // in lockstep: basic blocks of warps
  std::uint64_t num_active_lanes = 0;  // summed over these steps
  std::vector<Step> first_steps;       // steps of the launch's first block, with details only

  Options options;
  Stacks stacks;
};

extern Machine machine;

// The runtime's own reads and writes are not checked.
class PauseChecks {
 public:
  PauseChecks() : was_checking_(machine.is_checking) { machine.is_checking = false; }
  ~PauseChecks() { machine.is_checking = was_checking_; }
  PauseChecks(const PauseChecks&) = delete;
  PauseChecks& operator=(const PauseChecks&) = delete;

 private:
  bool was_checking_;
};

// Whether this is a thread of the host that does not use CUDA: it may run beside a kernel, and what
// it does is not the kernel's.
inline bool is_other_thread() {
#if __has_include(<sys/single_threaded.h>)
  if (__libc_single_threaded) return false;  // Why: faster to ask
#endif
  return pthread_equal(pthread_self(), machine.owner) == 0;
}

inline Thread& self() {
  return *machine.current;
}
inline Warp& warp_of(const Thread& thread) {
  return machine.warps[thread.warp];
}

// Whether the launch ends early.
inline bool is_dropped() {
  return machine.exception != nullptr || machine.failure != cudaSuccess;
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

#include <algorithm>
#include <vector>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/memory/global_memory.h"
#include "simt/runtime/memory/shared_memory.h"

extern "C" {
extern uint3 blockIdx;
}

namespace kv::simt {
namespace {

struct WaitingBlock {
  uint3 index;
  Stacks stacks;
  bool has_begun = false, has_ended = false;
  // What the machine held when it was put aside.
  std::uint32_t number = 0;
  unsigned num_live = 0, num_grid_barriers = 0;
  std::uint16_t epoch = 0;
  Thread* resumes = nullptr;
  std::vector<Thread> threads = {};
  std::vector<Warp> warps = {};
  SharedContents shared = {};
};

// The fiber that stopped its block in the barrier.
Thread* stopped = nullptr;
Site last_barrier = nullptr;

void put_aside(WaitingBlock& block) {
  block.number = machine.block_number;
  block.num_live = machine.num_live;
  block.num_grid_barriers = machine.num_grid_barriers;
  block.epoch = machine.epoch;
  block.resumes = stopped;
  block.threads.assign(machine.threads.begin(), machine.threads.begin() + machine.num_threads);
  block.warps.assign(machine.warps.begin(), machine.warps.begin() + machine.num_warps);
  block.shared = shared_memory.contents(machine.shape.shared_bytes);
}

void resume(const WaitingBlock& block) {
  blockIdx = block.index;
  machine.block_number = block.number;
  machine.num_live = block.num_live;
  machine.num_grid_barriers = block.num_grid_barriers;
  machine.epoch = block.epoch;
  std::ranges::copy(block.threads, machine.threads.begin());
  std::ranges::copy(block.warps, machine.warps.begin());
  shared_memory.set_contents(block.shared);
  make_current(*block.resumes);
  kv_simt_switch(&machine.host, block.resumes->fiber);
  ++machine.num_convergences;
}

// Up to the barrier, or to its end.
void run_on(WaitingBlock& block) {
  machine.stacks = block.stacks;
  stopped = nullptr;
  if (block.has_begun) {
    resume(block);
  } else {
    block.has_begun = true;
    run_block(block.index);
  }
  block.has_ended = stopped == nullptr;
  if (stopped != nullptr) put_aside(block);
}

void report_ended_blocks(const WaitingBlock& ended) {
  findings.add({.kind = Kind::kGridBarrier,
                .site = last_barrier,
                .what = "blocks wait at this grid barrier, and block " + text(ended.index) +
                        " has ended without reaching it"});
  machine.failure = cudaErrorLaunchFailure;
}

std::vector<WaitingBlock> blocks_of(const dim3& grid) {
  std::vector<WaitingBlock> blocks;
  const dim3& block = machine.shape.block;
  const unsigned num_threads = block.x * block.y * block.z;
  for (unsigned i = 0; i < grid.x * grid.y * grid.z; ++i) {
    blocks.push_back({.index = {i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y},
                      .stacks = Stacks(num_threads)});
  }
  if (machine.options.schedule == Schedule::kReverse) std::ranges::reverse(blocks);
  return blocks;
}

}  // namespace

void run_cooperative_grid() {
  const Stacks stacks = machine.stacks;
  std::vector<WaitingBlock> blocks = blocks_of(machine.shape.grid);
  bool is_waiting = true;
  while (is_waiting && !is_dropped()) {
    for (WaitingBlock& block : blocks) {
      if (!is_dropped()) run_on(block);
    }
    const auto ended = std::ranges::find(blocks, true, &WaitingBlock::has_ended);
    is_waiting = std::ranges::count(blocks, false, &WaitingBlock::has_ended) > 0;
    if (is_waiting && ended != blocks.end() && !is_dropped()) report_ended_blocks(*ended);
    // What came before the barrier is ordered before what comes after it, as between two launches.
    ++machine.launch_number;
    begin_global_races();
  }
  machine.stacks = stacks;
  for (const WaitingBlock& block : blocks) block.stacks.release();
}

// The first thread that leaves the block's own barrier stops the block.
void grid_barrier() {
  const PauseChecks pause;
  const Site site = __builtin_return_address(0);
  if (!machine.shape.is_cooperative) {
    fail(cudaErrorLaunchFailure,
         {.kind = Kind::kGridBarrier,
          .site = site,
          .what = "grid.sync() needs a launch with cudaLaunchCooperativeKernel"});
  }
  Thread& me = self();
  barrier_at(false, site);
  if (++me.num_grid_barriers <= machine.num_grid_barriers) return;
  ++machine.num_grid_barriers;
  stopped = &me;
  last_barrier = site;
  machine.current = nullptr;
  machine.stack_bottom = 0;
  kv_simt_switch(&me.fiber, machine.host);
  machine.is_checking = false;
}

}  // namespace kv::simt

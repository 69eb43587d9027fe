#pragma once
// A cooperative launch: its blocks wait for each other in grid.sync(). One block still runs at a
// time. When it comes to the barrier, its threads, its stacks and its shared memory are put aside,
// and the next block runs up to there.

namespace kv::simt {

// How many threads one cooperative launch may have. Each keeps a stack with a guard page, and Linux
// allows a process 65530 such pieces of memory.
inline constexpr unsigned kMaxCooperativeThreads = 24 * 1024;

// Runs all blocks of the launch.
void run_cooperative_grid();

}  // namespace kv::simt

#pragma once
// Barriers with a number, bar.sync and bar.arrive: what simt/sync.h declares of them.

namespace kv::simt {

// A thread has returned: its warp may be whole without it.
void thread_left_numbered_barriers();

// No thread can run. Fails if one waits at such a barrier.
void explain_numbered_barriers();

}  // namespace kv::simt

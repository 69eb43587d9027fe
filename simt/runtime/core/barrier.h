#pragma once
// __syncthreads().

namespace kv::simt {

// A thread has returned. If all others wait at the barrier, the barrier opens.
void thread_left_barrier();

}  // namespace kv::simt

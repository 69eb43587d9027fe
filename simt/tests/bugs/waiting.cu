// Threads that wait for threads which never arrive.

#include <cooperative_groups.h>

#include <cassert>

#include "run_bugs.h"

__global__ void half_waits(int* out) {
  if (threadIdx.x < 32) {
    __syncthreads();  // finds: barrier-not-reached in thread (0,0,0)
  }
  out[threadIdx.x] = 1;
}
void barrier_in_half_the_block() {
  Device<int> out(64);
  half_waits<<<1, 64>>>(out);
}

__global__ void wait_in_both(int* out) {
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();  // finds: divergent-barrier
  }
}
void barrier_in_both_branches() {
  Device<int> out(64);
  wait_in_both<<<1, 64>>>(out);
}

__global__ void end_without_a_barrier(const int* in, int* out, int n) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  if (i < n) {
    tile[i] = in[i];
    __syncthreads();  // finds: barrier-not-reached
    out[i] = tile[n - 1 - i];
  }
  return;
}
void barrier_in_a_guard() {
  Device<int> in(64), out(64);
  end_without_a_barrier<<<1, 64>>>(in, out, 40);
}

__global__ void some_return(const int* in, int* out, int n) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  if (i >= 60) return;
  if (i < n) {
    tile[i] = in[i];
    __syncthreads();  // finds: barrier-not-reached
    out[i] = tile[n - 1 - i];
  }
}
void barrier_in_a_guard_after_a_return() {
  Device<int> in(64), out(64);
  some_return<<<1, 64>>>(in, out, 40);
}

__global__ void shuffle_in_a_branch(const int* in, int* out) {
  int lane = threadIdx.x;
  int value = in[lane];
  if (lane < 16) value += __shfl_down_sync(0xffffffffu, value, 8);  // finds: missing-lanes
  __syncthreads();
  out[lane] = value;
}
void mask_names_absent_lanes() {
  Device<int> in(32), out(32);
  shuffle_in_a_branch<<<1, 32>>>(in, out);
}

__global__ void forget_myself(int* out) {
  out[threadIdx.x] = __shfl_sync(0x0000ffffu, 1, 0);  // finds: lane-not-in-mask
}
void lane_not_in_mask() {
  Device<int> out(32);
  forget_myself<<<1, 32>>>(out);
}

__global__ void read_absent_lane(int* out) {
  if (threadIdx.x >= 16) return;
  out[threadIdx.x] = __shfl_sync(0x0000ffffu, int(threadIdx.x), 20);  // finds: inactive-lane
}
void source_lane_inactive() {
  Device<int> out(32);
  read_absent_lane<<<1, 32>>>(out);
}

__global__ void shuffle_apart(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x < 16) {
    value = __shfl_sync(0xffffffffu, value, 0);  // finds: different-calls
  } else {
    value = __shfl_xor_sync(0xffffffffu, value, 1);
  }
  out[threadIdx.x] = value;
}
void lanes_in_different_shuffles() {
  Device<int> out(32);
  shuffle_apart<<<1, 32>>>(out);
}

__global__ void wait_for_flag(volatile int* flag, int* out) {
  while (*flag == 0) {  // finds: spin
  }
  *out = 1;
}
void spin() {
  Device<int> flag(1), out(1);
  wait_for_flag<<<1, 1>>>(flag, out);
}

__global__ void leave_the_grid(int* out) {
  if (blockIdx.x == 1) return;
  out[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();  // finds: grid-barrier
}
void block_leaves_the_grid() {
  Device<int> out(3);
  int* pointer = out;
  void* arguments[] = {&pointer};
  cudaLaunchCooperativeKernel(leave_the_grid, dim3(3), dim3(1), arguments);
}

__global__ void check(int n) {
  assert(n > 3);  // finds: assert in thread (0,0,0)
}
void failed_assert() {
  check<<<1, 32>>>(3);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"barrier-in-half-the-block", barrier_in_half_the_block},
                      {"barrier-in-both-branches", barrier_in_both_branches},
                      {"barrier-in-a-guard", barrier_in_a_guard},
                      {"barrier-in-a-guard-after-a-return", barrier_in_a_guard_after_a_return},
                      {"mask-names-absent-lanes", mask_names_absent_lanes},
                      {"lane-not-in-mask", lane_not_in_mask},
                      {"source-lane-inactive", source_lane_inactive},
                      {"lanes-in-different-shuffles", lanes_in_different_shuffles},
                      {"spin", spin},
                      {"block-leaves-the-grid", block_leaves_the_grid},
                      {"failed-assert", failed_assert}};
  return run_bugs(bugs, argc, argv);
}

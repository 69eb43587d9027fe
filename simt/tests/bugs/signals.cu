// One thread signals for others: that what they wrote comes before the signal is for a __syncwarp()
// or a __syncthreads() to say. And barriers that are objects: they begin with init().

#include <cuda/barrier>

#include "run_bugs.h"

constexpr int kThreads = 64;

// Warp 0 makes values, and its lane 0 sets a flag in shared memory for warp 1.
template <bool kIsOrdered>
__global__ void flag_for_the_warp(int* out) {
  __shared__ int values[32];
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    values[threadIdx.x] = 1;  // meets: shared-race
    if (kIsOrdered) __syncwarp();
    __threadfence_block();
    if (threadIdx.x == 0) atomicExch(&flag, 1);
    return;
  }
  while (atomicAdd(&flag, 0) == 0) {
  }
  __threadfence_block();
  out[threadIdx.x] = values[63 - threadIdx.x];  // finds: shared-race
}
void flag_without_a_syncwarp() {
  Device<int> out(kThreads);
  flag_for_the_warp<false><<<1, kThreads>>>(out);
}
void flag_after_a_syncwarp() {
  Device<int> out(kThreads);
  flag_for_the_warp<true><<<1, kThreads>>>(out);
}

// The last block adds what all blocks wrote; thread 0 counts for its block.
template <bool kIsOrdered>
__global__ void count_for_the_block(int* parts, unsigned* num_done, int* out) {
  __shared__ bool is_last;
  parts[blockIdx.x * 32 + threadIdx.x] = 1;  // meets: global-race
  if (kIsOrdered) __syncwarp();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(num_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block)
    sum += parts[block * 32 + 31 - threadIdx.x];  // finds: global-race
  out[threadIdx.x] = sum;
}
void count_without_a_syncwarp() {
  Device<int> parts(64), out(32);
  Device<unsigned> num_done(1);
  count_for_the_block<false><<<2, 32>>>(parts, num_done, out);
}
void count_after_a_syncwarp() {
  Device<int> parts(64), out(32);
  Device<unsigned> num_done(1);
  count_for_the_block<true><<<2, 32>>>(parts, num_done, out);
}

// The producer's lane 0 arrives for 32 threads at a barrier of warps.
template <bool kIsOrdered>
__global__ void hand_over(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ int values[32];
  if (threadIdx.x == 0) init(&ready, 33);
  __syncthreads();
  if (threadIdx.x < 32) {
    values[threadIdx.x] = 1;  // meets: shared-race
    if (kIsOrdered) __syncwarp();
    if (threadIdx.x == 0) ready.arrive();
    return;
  }
  ready.arrive_and_wait();
  out[threadIdx.x] = values[63 - threadIdx.x];  // finds: shared-race
}
void hand_over_without_a_syncwarp() {
  Device<int> out(kThreads);
  hand_over<false><<<1, kThreads>>>(out);
}
void hand_over_after_a_syncwarp() {
  Device<int> out(kThreads);
  hand_over<true><<<1, kThreads>>>(out);
}

// A shuffle is no order of memory.
__global__ void shuffle_for_an_order(int* out) {
  __shared__ int values[32];
  values[threadIdx.x] = 1;  // meets: shared-race
  const int round = __shfl_sync(0xffffffffu, 3, 0);
  out[threadIdx.x] = values[31 - threadIdx.x] + round;  // finds: shared-race
}
void a_shuffle_orders_nothing() {
  Device<int> out(32);
  shuffle_for_an_order<<<1, 32>>>(out);
}

// Lane 0 collects what its half of the warp wrote, with a mask of the wrong half.
__global__ void order_the_other_half(int* out) {
  __shared__ int values[32];
  values[threadIdx.x] = 1;  // finds: shared-race
  __syncwarp(threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u);
  if (threadIdx.x != 0) return;
  *out = values[16];  // meets: shared-race // finds: uninitialized only in forward
}
void half_of_the_warp_is_ordered() {
  Device<int> out(1);
  order_the_other_half<<<1, 32>>>(out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"flag-without-a-syncwarp", flag_without_a_syncwarp},
                      {"flag-after-a-syncwarp", flag_after_a_syncwarp},
                      {"count-without-a-syncwarp", count_without_a_syncwarp},
                      {"count-after-a-syncwarp", count_after_a_syncwarp},
                      {"hand-over-without-a-syncwarp", hand_over_without_a_syncwarp},
                      {"hand-over-after-a-syncwarp", hand_over_after_a_syncwarp},
                      {"a-shuffle-orders-nothing", a_shuffle_orders_nothing},
                      {"half-of-the-warp-is-ordered", half_of_the_warp_is_ordered}};
  return run_bugs(bugs, argc, argv);
}

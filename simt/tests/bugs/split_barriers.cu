// Barriers that are objects begin with init() by one thread, before any thread uses them.

#include <cuda/barrier>

#include "run_bugs.h"

constexpr int kThreads = 64;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void never_set_up(int* out) {
  __shared__ Barrier all;
  all.arrive_and_wait();  // finds: uninitialized
  out[threadIdx.x] = 1;
}
void no_init() {
  Device<int> out(kThreads);
  never_set_up<<<1, kThreads>>>(out);
}

__global__ void set_up_by_all(int* out) {
  __shared__ Barrier all;
  init(&all, blockDim.x);  // finds: shared-race // notes: same-value
  all.arrive_and_wait();   // finds: spin
  out[threadIdx.x] = 1;
}
void every_thread_inits() {
  Device<int> out(kThreads);
  set_up_by_all<<<1, kThreads>>>(out);
}

__global__ void set_up_for_one_warp(int* out) {
  __shared__ Barrier all;
  if (threadIdx.x == 0) init(&all, blockDim.x);  // meets: shared-race only in forward
  __syncwarp();
  all.arrive();  // finds: shared-race only in forward // finds: uninitialized only in reverse
  out[threadIdx.x] = 1;
}
void init_is_ordered_for_one_warp() {
  Device<int> out(kThreads);
  set_up_for_one_warp<<<1, kThreads>>>(out);
}

__global__ void set_up_again(int* out) {
  __shared__ Barrier all;
  if (threadIdx.x == 0) init(&all, blockDim.x);
  __syncthreads();
  all.arrive_and_wait();  // meets: shared-race // finds: spin only in forward
  if (threadIdx.x == 0) init(&all, blockDim.x);  // finds: shared-race
  all.arrive_and_wait();                         // finds: spin only in reverse
  out[threadIdx.x] = 1;
}
void init_again_at_once() {
  Device<int> out(kThreads);
  set_up_again<<<1, kThreads>>>(out);
}

__global__ void set_up_late(int* out) {
  __shared__ Barrier first, next;
  if (threadIdx.x == 0) init(&first, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 0) init(&next, blockDim.x);  // meets: shared-race only in reverse
  next.arrive();  // finds: shared-race only in reverse // finds: uninitialized only in forward
  first.arrive_and_wait();
  out[threadIdx.x] = 1;
}
void init_after_the_syncthreads() {
  Device<int> out(kThreads);
  set_up_late<<<1, kThreads>>>(out);
}

__global__ void set_up_in_order(int* out) {
  __shared__ Barrier stages[2];
  if (threadIdx.x < 2) init(stages + threadIdx.x, blockDim.x);
  __syncthreads();
  for (int i = 0; i < 4; ++i) stages[i % 2].arrive_and_wait();
  out[threadIdx.x] = 1;
}
void two_stages() {
  Device<int> out(kThreads);
  set_up_in_order<<<1, kThreads>>>(out);
}

__global__ void set_up_for_a_warp(int* out) {
  __shared__ Barrier of_warps[kThreads / 32];
  Barrier& mine = of_warps[threadIdx.x / 32];
  if (threadIdx.x % 32 == 0) init(&mine, 32);
  __syncwarp();
  mine.arrive_and_wait();
  out[threadIdx.x] = 1;
}
void one_for_each_warp() {
  Device<int> out(kThreads);
  set_up_for_a_warp<<<1, kThreads>>>(out);
}

__global__ void set_up_twice(int* out) {
  __shared__ Barrier all;
  for (int i = 0; i < 2; ++i) {
    if (threadIdx.x == 0) init(&all, blockDim.x);
    __syncthreads();
    all.arrive_and_wait();
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}
void init_again_between_barriers() {
  Device<int> out(kThreads);
  set_up_twice<<<1, kThreads>>>(out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"no-init", no_init},
                      {"every-thread-inits", every_thread_inits},
                      {"init-is-ordered-for-one-warp", init_is_ordered_for_one_warp},
                      {"init-again-at-once", init_again_at_once},
                      {"init-after-the-syncthreads", init_after_the_syncthreads},
                      {"two-stages", two_stages},
                      {"one-for-each-warp", one_for_each_warp},
                      {"init-again-between-barriers", init_again_between_barriers}};
  return run_bugs(bugs, argc, argv);
}

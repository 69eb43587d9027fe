// Asynchronous copies whose data is used too early.

#include <cuda_pipeline.h>

#include <cuda/barrier>

#include "run_bugs.h"

constexpr int kThreads = 32;

__global__ void never_wait(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
  __pipeline_commit();
  out[t] = tile[t];  // finds: unfinished-copy in thread (0,0,0)
}
void no_wait() {
  Device<int> in(kThreads), out(kThreads);
  never_wait<<<1, kThreads>>>(in, out);
}

__global__ void wait_for_nothing(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
  __pipeline_wait_prior(0);
  out[t] = tile[t];  // finds: unfinished-copy
}
void no_commit() {
  Device<int> in(kThreads), out(kThreads);
  wait_for_nothing<<<1, kThreads>>>(in, out);
}

__global__ void keep_one_too_many(const int* in, int* out) {
  __shared__ int tiles[2][kThreads];
  const int t = threadIdx.x;
  for (int i = 0; i < 2; ++i) {
    __pipeline_memcpy_async(&tiles[i][t], &in[t], sizeof(int));
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  out[t] = tiles[0][t];
  out[t] += tiles[1][t];  // finds: unfinished-copy
}
void waits_for_the_older_batch_only() {
  Device<int> in(kThreads), out(kThreads);
  keep_one_too_many<<<1, kThreads>>>(in, out);
}

__global__ void no_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));  // finds: shared-race
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = tile[kThreads - 1 - t];  // finds: uninitialized
}
void others_need_a_barrier() {
  Device<int> in(kThreads), out(kThreads);
  no_barrier<<<1, kThreads>>>(in, out);
}

// A third tile goes to the buffer of the first, which others may still read.
__global__ void overwrite(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += tile[kThreads - 1 - t];  // finds: shared-race
  }
  out[t] = sum;
}
void buffer_is_still_read() {
  Device<int> in(kThreads), out(kThreads);
  overwrite<<<1, kThreads>>>(in, out);
}

__global__ void copy_from_an_odd_address(const char* in, int* out) {
  __shared__ int4 tile;
  __pipeline_memcpy_async(&tile, in + 4, 16);  // finds: misaligned
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[0] = tile.x;
}
void misaligned_source() {
  Device<char> in(64);
  Device<int> out(1);
  copy_from_an_odd_address<<<1, 1>>>(in, out);
}

__global__ void one_does_not_arrive(int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 5) return;
  barrier.arrive_and_wait();  // finds: spin
  out[threadIdx.x] = 1;
}
void barrier_lacks_an_arrival() {
  Device<int> out(kThreads);
  one_does_not_arrive<<<1, kThreads>>>(out);
}

__global__ void half_a_block_waits(int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x / 2);
  __syncthreads();
  if (threadIdx.x >= blockDim.x / 2) return;
  barrier.arrive_and_wait();
  if (threadIdx.x == 0) *out += 1;  // finds: global-race
}
void barrier_of_another_block() {
  Device<int> out(1);
  half_a_block_waits<<<2, kThreads>>>(out);
}

// One lane arrives for its warp: what the others wrote is ordered only by a __syncwarp().
template <bool kIsOrdered>
__global__ void arrive_for_the_warp(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x;  // meets: shared-race
  if (kIsOrdered) __syncwarp();
  if (threadIdx.x % 32 == 0) barrier.wait(barrier.arrive(32));
  __syncwarp();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // finds: shared-race, uninitialized
}
void one_lane_arrives_for_all() {
  Device<int> out(64);
  arrive_for_the_warp<false><<<1, 64>>>(out);
}
void one_lane_arrives_in_order() {
  Device<int> out(64);
  arrive_for_the_warp<true><<<1, 64>>>(out);
}

__global__ void use_at_once(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  if (threadIdx.x == 0) init(&all, blockDim.x);  // meets: shared-race only in forward
  all.arrive();  // finds: shared-race only in forward // finds: uninitialized only in reverse
  out[threadIdx.x] = threadIdx.x;
}
void barrier_is_used_at_once() {
  Device<int> out(64);
  use_at_once<<<1, 64>>>(out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"no-wait", no_wait},
                      {"no-commit", no_commit},
                      {"waits-for-the-older-batch-only", waits_for_the_older_batch_only},
                      {"others-need-a-barrier", others_need_a_barrier},
                      {"buffer-is-still-read", buffer_is_still_read},
                      {"misaligned-source", misaligned_source},
                      {"barrier-lacks-an-arrival", barrier_lacks_an_arrival},
                      {"barrier-of-another-block", barrier_of_another_block},
                      {"one-lane-arrives-for-all", one_lane_arrives_for_all},
                      {"one-lane-arrives-in-order", one_lane_arrives_in_order},
                      {"barrier-is-used-at-once", barrier_is_used_at_once}};
  return run_bugs(bugs, argc, argv);
}

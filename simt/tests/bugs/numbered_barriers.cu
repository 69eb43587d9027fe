// bar.sync with numbers: threads that miss, counts that differ, and data that no barrier orders.

#include "run_bugs.h"

__device__ void wait(int number, int num_threads) {
  asm volatile("bar.sync %0, %1;"  // finds: numbered-barrier
               ::"r"(number),
               "r"(num_threads)
               : "memory");
}

__global__ void first_half_of_a_pair(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = 0;
  __syncthreads();
  values[threadIdx.x] = threadIdx.x;  // finds: shared-race
  asm volatile("bar.sync %0, 32;" ::"r"(1 + threadIdx.x / 32) : "memory");
  out[threadIdx.x] = values[63 - threadIdx.x];  // meets: shared-race
}
void each_warp_for_itself() {
  Device<int> out(64);
  first_half_of_a_pair<<<1, 64>>>(out);
}

__global__ void counts_differ(int* out) {
  wait(1, threadIdx.x < 32 ? 64 : 96);
  out[threadIdx.x] = 1;
}
void other_counts() {
  Device<int> out(96);
  counts_differ<<<1, 96>>>(out);
}

__global__ void waits_for_more(int* out) {
  if (threadIdx.x < 32) wait(2, 64);
  __syncthreads();
  out[threadIdx.x] = 1;
}
void nobody_else_comes() {
  Device<int> out(64);
  waits_for_more<<<1, 64>>>(out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"each-warp-for-itself", each_warp_for_itself},
                      {"other-counts", other_counts},
                      {"nobody-else-comes", nobody_else_comes}};
  return run_bugs(bugs, argc, argv);
}

// Kernels that take long and end: none hangs. Their work is measured by the budget of basic blocks
// without progress that ./lab test sets: 2^24.

#include "run_bugs.h"

constexpr int kHalfOfBudget = 1 << 21;  // iterations, of up to four basic blocks

__device__ int count_down(int n) {
  int sum = 0;
  for (int i = n; i > 0; --i) sum = sum * 3 + i;
  return sum;
}
__global__ void calculate(int* out, int n) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = count_down(n);
}
void arithmetic() {
  Device<int> out(4);
  calculate<<<1, 4>>>(out, kHalfOfBudget);
}
void many_blocks() {
  Device<int> out(4);
  calculate<<<4, 1>>>(out, kHalfOfBudget);
}

__global__ void add_up(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = sum;
}
void long_array() {
  constexpr int kNumbers = 1 << 21;
  Device<int> in(kNumbers), out(1);
  add_up<<<1, 1>>>(in, out, kNumbers);
}

// One thread prepares, the others wait for it.
__global__ void prepare(const int* in, int* flag, int* out, int n) {
  if (threadIdx.x == 40) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += in[i];
    out[64] = sum;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[threadIdx.x] = out[64];
  }
}
void flag_that_one_sets() {
  constexpr int kNumbers = 1 << 16;
  Device<int> in(kNumbers), flag(1), out(65);
  prepare<<<1, 64>>>(in, flag, out, kNumbers);
}

__global__ void take_tickets(unsigned* next, unsigned* served, int* out) {
  unsigned mine = atomicAdd(next, 1u);
  while (atomicAdd(served, 0u) != mine) {
  }
  __threadfence();
  *out += count_down(1000);
  __threadfence();
  atomicAdd(served, 1u);
}
void tickets() {
  Device<unsigned> next(1), served(1);
  Device<int> out(1);
  take_tickets<<<2, 64>>>(next, served, out);
}

// All numbers are one: memory stays the same from one barrier to the next.
__global__ void add_rows(int* out, int rows) {
  __shared__ int row[64];
  int sum = 0;
  for (int r = 0; r < rows; ++r) {
    row[threadIdx.x] = 1;
    __syncthreads();
    sum += row[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
void barriers() {
  Device<int> out(64);
  add_rows<<<1, 64>>>(out, 1500);
}

int main(int argc, char** argv) {
  const Bug clean[] = {{"arithmetic", arithmetic}, {"many-blocks", many_blocks},
                       {"long-array", long_array}, {"flag-that-one-sets", flag_that_one_sets},
                       {"tickets", tickets},       {"barriers", barriers}};
  return run_bugs(clean, argc, argv);
}

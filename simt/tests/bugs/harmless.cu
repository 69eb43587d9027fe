// Correct programs with accesses that nothing orders: notes say why they do no harm.

#include "run_bugs.h"

__global__ void sum_warps(const float* in, float* out) {
  __shared__ float sums[4];
  float sum = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  sums[threadIdx.x / 32] = sum;  // notes: same-value
  __syncthreads();
  *out = sums[0] + sums[1] + sums[2] + sums[3];  // notes: same-value
}
void all_lanes_store() {
  Device<float> in(128), out(1);
  sum_warps<<<1, 128>>>(in, out);
}

__global__ void relax(const int* in, int* changed) {
  if (in[threadIdx.x] == 0) *changed = 1;  // notes: same-value
}
void flag() {
  Device<int> in(64), changed(1);
  relax<<<2, 32>>>(in, changed);
}

__global__ void add_by_cas(float* sum) {
  __shared__ int largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  int* bits = reinterpret_cast<int*>(sum);
  int old = *bits, expected;  // notes: read-before-cas
  do {
    expected = old;
    old = atomicCAS(bits, expected, __float_as_int(__int_as_float(expected) + 1));
  } while (old != expected);
  old = largest;  // notes: read-before-cas
  while (old < int(threadIdx.x)) {
    expected = old;
    old = atomicCAS(&largest, expected, int(threadIdx.x));
  }
}
void cas_loop() {
  Device<float> sum(1);
  add_by_cas<<<2, 64>>>(sum);
}

int main(int argc, char** argv) {
  const Bug harmless[] = {
      {"all-lanes-store", all_lanes_store}, {"flag", flag}, {"cas-loop", cas_loop}};
  return run_bugs(harmless, argc, argv);
}

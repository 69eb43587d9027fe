// What nvcc does not compile, found in the text: the program is not run.

#include <cstdlib>

#include "run_bugs.h"

const float kWeights[4] = {4, 3, 2, 1};
constexpr int kOffsets[2] = {1, 2};
static float scales[4];

float scale_of(float x) {
  return 2 * x;
}
template <typename T>
T twice(T x) {
  return x + x;
}

void forgot_global(float* out) {
  out[threadIdx.x] = 1;
}

__global__ void call_host(float* out) {
  out[0] = scale_of(out[0]);        // finds: host-function
  out[1] = twice<float>(out[1]);    // finds: host-function
  out[2] = float(rand());           // finds: host-function
  out[3] = kWeights[threadIdx.x];   // finds: host-variable
  out[4] += kOffsets[threadIdx.x];  // finds: host-variable
  out[5] = scales[threadIdx.x];     // finds: host-variable
  if (out[0] > 3) throw out[0];     // finds: exception
}

__device__ void order(float* values, int n) {
  float copy[n];  // finds: variable-length-array
  for (int i = 0; i < n; ++i) copy[i] = values[i];
  for (int i = 0; i < n; ++i) values[i] = copy[n - 1 - i];
}
__global__ void sort_rows(float* values, int n) {
  order(values + threadIdx.x * n, n);
}

__global__ int count(const float* values) {  // finds: kernel-returns-value
  return values[0] > 0;
}

__global__ void fill(float* out) {
  out[threadIdx.x] = 1;
}

int main() {
  Device<float> out(64);
  forgot_global<<<1, 32>>>(out);  // finds: not-a-kernel
  fill(out);                      // finds: kernel-without-launch
  fill<<<1, 32>>>(out);
  return 0;
}

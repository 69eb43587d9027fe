// What nvcc does not compile, found in the text: the program is not run.

#include <algorithm>
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

__device__ int lane() {
  return threadIdx.x % 32;
}
__host__ __device__ float scaled(float x) {
  return scale_of(x);  // finds: host-function
}
__host__ __device__ float unused(float x) {
  return scale_of(x);  // nvcc only warns, and no kernel comes here
}
__host__ __device__ float by_side(float x) {
#ifdef __CUDA_ARCH__
  return x;
#else
  return scale_of(x);
#endif
}
__global__ void call_both(float* out, const int n) {
  __shared__ int sum = 0;  // finds: shared-initializer
  out[0] = scaled(out[0]) + by_side(out[1]) + sum;
}
__global__ void read_constant(__grid_constant__ int n, float* out) {  // finds: grid-constant
  out[0] = n;
}

struct Filter {
  static __global__ void run(float* out) {}  // finds: kernel-in-class
};
struct Friend {
  friend __global__ void fill(float* out);
};

void use_the_device() {
  __syncthreads();                                               // finds: device-function
  int sum = lane() + std::min(1, 2);                             // finds: device-function
  auto twice = [] __device__(int x) { return 2 * lane() * x; };  // finds: device-lambda
}

int main() {
  Device<float> out(64);
  forgot_global<<<1, 32>>>(out);  // finds: not-a-kernel
  fill(out);                      // finds: kernel-without-launch
  fill<<<1, 32>>>(out);
  return 0;
}

// Accesses out of bounds, or misaligned.

#include <cstddef>

#include "run_bugs.h"

__global__ void read_past_the_tail(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = in[i];  // finds: out-of-bounds in thread (4,0,0) only at -O0
  if (i < 100) out[i] = value;
}
void tail_read() {
  Device<int> in(100), out(128);
  read_past_the_tail<<<4, 32>>>(in, out);
}

__global__ void write_past_the_tail(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = i;  // finds: out-of-bounds in thread (4,0,0)
}
void tail_write() {
  Device<int> out(100);
  write_past_the_tail<<<4, 32>>>(out, 100);
}

__global__ void copy_wide(const float* in, float4* out) {
  const float* start = in + 1;
  *out = *reinterpret_cast<const float4*>(start);  // finds: misaligned in thread (0,0,0)
}
void misaligned() {
  Device<float> in(64);
  Device<float4> out(32);
  copy_wide<<<1, 32>>>(in, out);
}

__global__ void read_wide_shared(float4* out) {
  __shared__ float4 values[8];
  values[threadIdx.x] = make_float4(1, 2, 3, 4);
  float* start = &values[0].x + threadIdx.x % 2;
  out[threadIdx.x] = *reinterpret_cast<float4*>(start);  // finds: misaligned in thread (1,0,0)
}
void misaligned_shared() {
  Device<float4> out(1);
  read_wide_shared<<<1, 2>>>(out);
}

extern __shared__ float scratch[];
__global__ void fill_dynamic(float* out) {
  scratch[threadIdx.x] = 1;  // finds: out-of-bounds in thread (24,0,0)
  out[threadIdx.x] = scratch[threadIdx.x];
}
void short_dynamic_shared() {
  Device<float> out(32);
  fill_dynamic<<<1, 32, 24 * sizeof(float)>>>(out);
}

__global__ void overflow_shared(float* out) {
  __shared__ float first[32];
  __shared__ float second[32];
  second[threadIdx.x] = 0;
  first[threadIdx.x + 1] = 1;  // finds: array-index in thread (31,0,0)
  out[threadIdx.x] = first[threadIdx.x + 1] + second[threadIdx.x];
}
void static_shared_overflow() {
  Device<float> out(32);
  overflow_shared<<<1, 32>>>(out);
}

__device__ float element(const float* values, int i) {
  return values[i];  // finds: out-of-bounds
}
__global__ void shift_shared(float* out) {
  __shared__ float values[32];
  values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = element(values, threadIdx.x + 2048);
}
void past_shared() {
  Device<float> out(32);
  shift_shared<<<1, 32>>>(out);
}
__device__ float element_before(const float* values, int i) {
  return values[i - 200];  // finds: out-of-bounds
}
__global__ void shift_back_shared(float* out) {
  __shared__ float values[32];
  values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = element_before(values, threadIdx.x);
}
void before_shared() {
  Device<float> out(32);
  shift_back_shared<<<1, 32>>>(out);
}

__global__ void overflow_local(float* out, int n) {
  float history[4] = {};
  for (int i = 0; i < n; ++i) history[i] += i;  // finds: array-index in thread (0,0,0)
  out[threadIdx.x] = history[n % 4];
}
void local_overflow() {
  Device<float> out(32);
  overflow_local<<<1, 32>>>(out, 5);
}

__device__ int sum_of_digits(int n) {
  volatile int local[800];
  local[n % 800] = n;
  if (n == 0) return 0;
  return local[n % 800] % 10 + sum_of_digits(n - 1);  // finds: stack-overflow in thread (0,0,0)
}
__global__ void recurse(int* out) {
  *out = sum_of_digits(1000);
}
void stack_overflow() {
  Device<int> out(1);
  recurse<<<1, 1>>>(out);
}

constexpr std::size_t kMany = (std::size_t{1} << 31) + 64;

__global__ void write_slot(float* cache, std::size_t slot) {
  const int narrow = static_cast<int>(slot);
  cache[slot] = 1;
  cache[narrow] = 1;  // finds: out-of-bounds in thread (0,0,0)
}
void index_of_31_bits() {
  float* cache;
  cudaMalloc(&cache, kMany * sizeof(float));
  write_slot<<<1, 1>>>(cache, kMany - 1);
  cudaFree(cache);
}

__global__ void read_slot(const float* cache, float* out, std::size_t slot) {
  *out = cache[slot];  // finds: uninitialized in thread (0,0,0)
}
void unwritten_in_much_memory() {
  float* cache;
  cudaMalloc(&cache, kMany * sizeof(float));
  Device<float> out(1);
  read_slot<<<1, 1>>>(cache, out, kMany - 1);
  cudaFree(cache);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"tail-read", tail_read},
                      {"tail-write", tail_write},
                      {"misaligned", misaligned},
                      {"misaligned-shared", misaligned_shared},
                      {"short-dynamic-shared", short_dynamic_shared},
                      {"static-shared-overflow", static_shared_overflow},
                      {"past-shared", past_shared},
                      {"before-shared", before_shared},
                      {"local-overflow", local_overflow},
                      {"stack-overflow", stack_overflow},
                      {"index-of-31-bits", index_of_31_bits},
                      {"unwritten-in-much-memory", unwritten_in_much_memory}};
  return run_bugs(bugs, argc, argv);
}

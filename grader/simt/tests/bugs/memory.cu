// Mistakes with memory.

#include "run_bugs.h"

__global__ void read_behind_the_tail(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = in[i];  // finds: out-of-bounds in thread (4,0,0) only at -O0
  if (i < 100) out[i] = value;
}
void tail_read() {
  Device<int> in(100), out(128);
  read_behind_the_tail<<<4, 32>>>(in, out);
}

__global__ void write_behind_the_tail(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = i;  // finds: out-of-bounds in thread (4,0,0)
}
void tail_write() {
  Device<int> out(100);
  write_behind_the_tail<<<4, 32>>>(out, 100);
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

__global__ void set_one(int* out) {
  *out = 1;  // finds: host-pointer in thread (0,0,0)
}
void host_pointer() {
  int here = 0;
  set_one<<<1, 1>>>(&here);
}

__global__ void set_first(int* out) {
  out[threadIdx.x] = 1;  // finds: null-pointer in thread (0,0,0)
}
void null_pointer() {
  set_first<<<1, 32>>>(nullptr);
}

__global__ void read_freed(const int* in, int* out) {
  *out = *in;  // finds: use-after-free in thread (0,0,0)
}
void use_after_free() {
  Device<int> out(1);
  int* in;
  cudaMalloc(&in, sizeof(int));
  cudaFree(in);
  read_freed<<<1, 1>>>(in, out);
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
  volatile int local[256];
  local[n % 256] = n;
  if (n == 0) return 0;
  return local[n % 256] % 10 + sum_of_digits(n - 1);  // finds: stack-overflow in thread (0,0,0)
}
__global__ void recurse(int* out) {
  *out = sum_of_digits(1000);
}
void stack_overflow() {
  Device<int> out(1);
  recurse<<<1, 1>>>(out);
}

__global__ void increment(int* counts) {
  counts[threadIdx.x]++;  // finds: uninitialized in thread (0,0,0)
}
void uninitialized_global() {
  Device<int> counts(32, false);
  increment<<<1, 32>>>(counts);
}

__global__ void read_unset_shared(int* out) {
  __shared__ int values[32];
  if (threadIdx.x < 31) values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];  // finds: uninitialized in thread (31,0,0)
}
void uninitialized_shared() {
  Device<int> out(32);
  read_unset_shared<<<1, 32>>>(out);
}

__constant__ int limits[4] = {1, 2, 3, 4};
__global__ void change_limit(const int* limit, int* out) {
  out[0] = limits[0];
  const_cast<int*>(limit)[0] = 5;  // finds: write-to-constant in thread (0,0,0)
}
void write_constant() {
  Device<int> out(1);
  int* limit;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&limit), limits);
  change_limit<<<1, 1>>>(limit, out);
}

__global__ void share_local(int** pointer, int* out) {
  int mine = threadIdx.x;
  if (threadIdx.x == 0) *pointer = &mine;
  __syncthreads();
  out[threadIdx.x] = **pointer;  // finds: local-memory-of-another-thread in thread (1,0,0)
}
void local_of_another_thread() {
  Device<int*> pointer(1);
  Device<int> out(2);
  share_local<<<1, 2>>>(pointer, out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"tail-read", tail_read},
                      {"tail-write", tail_write},
                      {"misaligned", misaligned},
                      {"misaligned-shared", misaligned_shared},
                      {"host-pointer", host_pointer},
                      {"null-pointer", null_pointer},
                      {"use-after-free", use_after_free},
                      {"short-dynamic-shared", short_dynamic_shared},
                      {"static-shared-overflow", static_shared_overflow},
                      {"local-overflow", local_overflow},
                      {"stack-overflow", stack_overflow},
                      {"uninitialized-global", uninitialized_global},
                      {"uninitialized-shared", uninitialized_shared},
                      {"write-constant", write_constant},
                      {"local-of-another-thread", local_of_another_thread}};
  return run_bugs(bugs, argc, argv);
}

// What files from elsewhere use without a thought: nvcc's implicit includes and macros, and forms
// of declarations and launches that textbooks do not have.

#include <cuda.h>
#include <math_constants.h>

#include <cstdio>

#include "elsewhere/shared_header.cuh"

#ifndef __CUDACC__
#error "this is CUDA"
#endif
#if CUDART_VERSION < 11000 || CUDA_VERSION < 11000
#error "CUDA is too old"
#endif

// helper_cuda.h of NVIDIA's samples has its functions only where these are defined.
#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__)
#error "CUDA's headers are not there"
#endif

#define DEVICE __device__ __forceinline__

int num_wrong = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  ++num_wrong;
  std::printf("not so: %s\n", what);
}

// --- names that nobody includes a header for

__global__ void use_implicit_names(float* x, int* out) {
  const clock_t start = clock();
  out[0] = isnan(x[0]) + 2 * isinf(x[1]) + 4 * isfinite(x[2]) + 8 * signbit(x[3]);
  out[1] = INT_MAX + (INT_MIN + 1);
  out[2] = x[0] != x[0] && x[1] == CUDART_INF_F && fabsf(x[4] - CUDART_PI_F) < 1e-6f;
  out[3] = clock() - start >= 0 && clock64() >= 0;
  memcpy(out + 4, out + 1, sizeof(int));
}

void check_implicit_names() {
  const float host[5] = {CUDART_NAN_F, INFINITY, 1.0f, -1.0f, 3.14159265f};
  float* x;
  int* out;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, 5 * sizeof(int));
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  use_implicit_names<<<1, 1>>>(x, out);
  int back[5];
  cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
  expect(back[0] == 15 && back[1] == 0 && back[2] == 1 && back[3] == 1, "implicit names");
  expect(back[4] == back[1], "memcpy in a kernel");
  cudaFree(x);
  cudaFree(out);
}

// --- the architecture

#if __CUDA_ARCH__ >= 700
__device__ int of_new_architectures() {
  return 1;
}
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double* address, double value) {
  return 0;
}
#endif

DEVICE int architecture() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  return __CUDA_ARCH__;
#else
  return 0;
#endif
}

__global__ void tell_architecture(int* out) {
#ifdef __CUDA_ARCH__
  out[0] = of_new_architectures() * architecture();
#endif
#ifndef __CUDA_ARCH__
  out[0] = -1;
#endif
}

int architecture_of_the_host() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__;
#else
  return 0;
#endif
}

// --- forms of declarations

__device__ __managed__ int counter = 5;

__noinline__ __device__ int twice(int x) {
  return 2 * x;
}

__global__ void count_up(int by) {
  atomicAdd(&counter, twice(by));
}

extern float __shared__ late_word[];
__global__ void reverse(float* data) {
  late_word[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = late_word[blockDim.x - 1 - threadIdx.x];
}

// Vectors of 8-byte numbers.
__global__ void swap_ends(ulong2* pairs) {
  const ulong2 last = pairs[1];
  pairs[1] = make_ulong2(pairs[0].y, pairs[0].x);
  pairs[0] = last;
}

__global__ void fill(int* out, int n, int value = 7, int step = 1) {
  const int i = threadIdx.x;
  if (i < n) out[i] = value + step * i;
}

template <typename T>
__global__ void add_to(T* out, T value = 3) {
  out[threadIdx.x] += value;
}

struct Scale {
  int factor;
  __device__ int operator()(int x) const { return factor * x; }
};
__global__ void apply(int* out, const Scale& scale) {
  out[threadIdx.x] = scale(out[threadIdx.x]);
}

void check_forms() {
  int *out, host = 0;
  cudaMalloc(&out, 32 * sizeof(int));
  tell_architecture<<<1, 1>>>(out);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  expect(host >= 700 && architecture_of_the_host() == 0, "__CUDA_ARCH__ in device code only");

  count_up<<<1, 4>>>(3);
#if CUDART_VERSION < 13000
  cudaThreadSynchronize();
#else
  cudaDeviceSynchronize();
#endif
  expect(counter == 5 + 4 * 6, "a __managed__ variable");

  ulong2 pairs[2] = {make_ulong2(1, 2), make_ulong2(3, 4)};
  cudaMemcpy(out, pairs, sizeof pairs, cudaMemcpyHostToDevice);
  swap_ends<<<1, 1>>>(reinterpret_cast<ulong2*>(out));
  cudaMemcpy(pairs, out, sizeof pairs, cudaMemcpyDeviceToHost);
  expect(pairs[0].x == 3 && pairs[0].y == 4 && pairs[1].x == 2 && pairs[1].y == 1, "ulong2");
#ifdef KV_SIMT  // newer toolkits warn of the name
  static_assert(sizeof(double4) == 32 && alignof(double4) == 16);
#endif
#if CUDART_VERSION >= 13000
  static_assert(alignof(double4_16a) == 16 && alignof(long4_32a) == 32);
  expect(make_double4_32a(1, 2, 3, 4).w == 4, "double4_32a");
#endif

  fill<<<1, 32>>>(out, 32);
  cudaMemcpy(&host, out + 5, sizeof host, cudaMemcpyDeviceToHost);
  expect(host == 12, "default arguments of a kernel");
  fill<<<1, 32>>>(out, 32, 100);
  // clang-format off
  add_to<int><< <1, 32>> >(out);
  // clang-format on
  cudaMemcpy(&host, out + 5, sizeof host, cudaMemcpyDeviceToHost);
  expect(host == 108, "one default argument, and that of a template");

  Scale* scale;
  cudaMallocManaged(&scale, sizeof(Scale));
  scale->factor = 2;
  apply<<<1, 32>>>(out, *scale);
  cudaMemcpy(&host, out + 5, sizeof host, cudaMemcpyDeviceToHost);
  expect(host == 216, "a reference to managed memory");
  cudaFree(scale);
  cudaFree(out);
}

void check_launches() {
  float host[32], *data;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  void* arguments[] = {&data};
  cudaLaunchKernel((void*)reverse, dim3(1), dim3(32), arguments, sizeof host, 0);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  expect(host[0] == 31 && host[31] == 0, "cudaLaunchKernel with an untyped kernel");
  cudaLaunchKernel(reverse, dim3(1), dim3(32), arguments, sizeof host, 0);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  expect(host[0] == 0 && host[31] == 31, "cudaLaunchKernel with its type");
  add_in_header(data, 32);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  expect(host[31] == 32, "a kernel and its launch in a header");
  cudaFree(data);
}

int main() {
  check_implicit_names();
  check_forms();
  check_launches();
  std::printf("elsewhere: %s\n", num_wrong == 0 ? "all as nvcc has it" : "wrong");
  return num_wrong;
}

// Launches that CUDA refuses, and data that is used before the work is done.

#include "run_bugs.h"

#ifdef KV_SIMT                              // it does not compile this
__global__ void large_static(float* out) {  // finds: shared-memory-size
  __shared__ float first[8192], second[8192];
  first[threadIdx.x] = second[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = first[31 - threadIdx.x] + second[31 - threadIdx.x];
}
void too_much_static_shared() {
  Device<float> out(32);
  large_static<<<1, 32>>>(out);
}

__device__ float sum_of_row(float x) {
  __shared__ float row[8192];
  row[threadIdx.x] = x;
  __syncthreads();
  return row[31 - threadIdx.x];
}
__global__ void sum_rows(float* out) {  // finds: shared-memory-size
  __shared__ float column[8192];
  column[threadIdx.x] = sum_of_row(1);
  __syncthreads();
  out[threadIdx.x] = column[31 - threadIdx.x];
}
__global__ void sum_one_row(float* out) {
  out[threadIdx.x] = sum_of_row(1);
}
void too_much_with_called_functions() {
  Device<float> out(32);
  sum_rows<<<1, 32>>>(out);
  sum_one_row<<<1, 32>>>(out);
}
#else
void too_much_static_shared() {}
void too_much_with_called_functions() {}
#endif

__global__ void nothing() {}
void too_much_dynamic_shared() {
  nothing<<<1, 32, 50000>>>();  // finds: bad-launch
  if (cudaGetLastError() != cudaErrorInvalidValue) std::abort();
}
void dynamic_shared_allowed() {
  cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 50000);
  nothing<<<1, 32, 50000>>>();
}

constexpr int kThreads = 128;
__global__ void __launch_bounds__(kThreads, 2) bounded(float* out) {
  out[threadIdx.x] = 1;
}
template <int kSize>
__launch_bounds__(kSize) __global__ void bounded_by_size(float* out) {
  out[threadIdx.x] = kSize;
}
void launch_bounds_exceeded() {
  Device<float> out(256);
  bounded<<<1, 128>>>(out);
  bounded<<<1, 256>>>(out);  // finds: bad-launch
  bounded_by_size<64><<<1, 64>>>(out);
  bounded_by_size<64><<<1, 65>>>(out);  // finds: bad-launch
}

__global__ void add_one(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}
void managed_without_waiting() {
  int *data, *other;
  cudaMallocManaged(&data, 64 * sizeof(int));
  cudaMallocManaged(&other, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) data[i] = other[i] = i;
  add_one<<<1, 64>>>(data, 64);
  int sum = other[5];
#ifdef KV_SIMT     // it may end the program
  sum += data[5];  // finds: not-synchronized
#endif
  cudaDeviceSynchronize();
  std::printf("%d\n", sum + data[6]);
  cudaFree(data);
  cudaFree(other);
}

void copy_without_waiting() {
  int* host;
  int pageable[64];
  cudaMallocHost(&host, 64 * sizeof(int));
  Device<int> data(64);
  cudaMemcpyAsync(pageable, data, sizeof pageable, cudaMemcpyDeviceToHost);
  cudaMemcpyAsync(host, data, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = pageable[5];
  sum += host[5];  // finds: not-synchronized
  cudaStreamSynchronize(nullptr);
  std::printf("%d\n", sum + host[6]);
  cudaFreeHost(host);
}

__global__ void read_at(const int* in, int* out, int row, int width) {
  out[threadIdx.x] = in[row * width];  // finds: out-of-bounds in thread (0,0,0)
}
void index_overflows() {
  Device<int> in(64), out(32);
  read_at<<<1, 32>>>(in, out, 30000, 80000);
}
__global__ void read_before(const int* in, int* out) {
  int i = threadIdx.x;
  out[i] = in[i - 1];  // finds: out-of-bounds in thread (0,0,0)
}
void index_is_negative() {
  Device<int> before(64), in(64), out(32);
  read_before<<<1, 32>>>(in, out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"too-much-static-shared", too_much_static_shared},
                      {"too-much-with-called-functions", too_much_with_called_functions},
                      {"too-much-dynamic-shared", too_much_dynamic_shared},
                      {"dynamic-shared-allowed", dynamic_shared_allowed},
                      {"launch-bounds-exceeded", launch_bounds_exceeded},
                      {"managed-without-waiting", managed_without_waiting},
                      {"copy-without-waiting", copy_without_waiting},
                      {"index-overflows", index_overflows},
                      {"index-is-negative", index_is_negative}};
  return run_bugs(bugs, argc, argv);
}

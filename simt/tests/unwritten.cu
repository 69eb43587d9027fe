// A kernel that is not written yet. Its launch is dropped and throws what the kernel threw; the
// next launch runs as usual.

#include <cstdio>
#include <cstring>

#include "kv/todo.h"

__global__ void unwritten(int* out) {
  if (threadIdx.x == 0) out[0] = 1;
  __syncthreads();
  KV_TODO("6.1 copy_blocks");
}

__global__ void written(int* out) {
  out[threadIdx.x] = 2;
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof(int));
  const char* caught = "nothing";
  try {
    unwritten<<<2, 64>>>(data);
  } catch (const kv::NotImplemented& todo) {
    caught = todo.what();
  }
  std::printf("%s; %s\n", caught, cudaGetErrorName(cudaGetLastError()));
  written<<<1, 64>>>(data);
  int host[64];
  const cudaError_t error = cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d; %s\n", host[63], cudaGetErrorName(error));
  cudaFree(data);
  return 0;
}

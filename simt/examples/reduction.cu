// The sum of an array. Each block adds up its part: in shared memory while there is more than one
// warp of values, then by shuffles within one warp.
#include <cstdio>
#include <vector>

constexpr int kBlock = 256;

__global__ void sum(const int* values, int n, int* total) {
  __shared__ int partial[kBlock];
  const int t = threadIdx.x;

  int mine = 0;
  for (int i = blockIdx.x * kBlock + t; i < n; i += gridDim.x * kBlock) {
    mine += values[i];
  }
  partial[t] = mine;
  __syncthreads();

  for (int half = kBlock / 2; half >= 32; half /= 2) {
    if (t < half) {
      partial[t] += partial[t + half];
    }
    __syncthreads();
  }

  if (t < 32) {
    int value = partial[t];
    for (int offset = 16; offset > 0; offset /= 2) {
      value += __shfl_down_sync(0xffffffff, value, offset);
    }
    if (t == 0) {
      atomicAdd(total, value);
    }
  }
}

int main() {
  const int n = 5000;
  std::vector<int> values(n);
  int expected = 0;
  for (int i = 0; i < n; ++i) {
    values[i] = i % 7;
    expected += values[i];
  }

  int *device_values, *device_total;
  cudaMalloc(&device_values, n * sizeof(int));
  cudaMalloc(&device_total, sizeof(int));
  cudaMemcpy(device_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(device_total, 0, sizeof(int));

  sum<<<4, kBlock>>>(device_values, n, device_total);

  int total = 0;
  const cudaError_t error = cudaMemcpy(&total, device_total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device_values);
  cudaFree(device_total);
  if (error != cudaSuccess) {
    std::printf("reduction: %s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("reduction: the sum is %d, expected %d\n", total, expected);
  return total == expected ? 0 : 1;
}

// Inclusive prefix sums within each block, after Hillis and Steele: in step k every thread adds the
// value 2^k places to its left. Two buffers in dynamic shared memory take turns.
#include <cstdio>
#include <vector>

__global__ void scan(const int* in, int* out, int n) {
  extern __shared__ int buffers[];
  int* from = buffers;
  int* to = buffers + blockDim.x;
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;

  from[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    int sum = from[t];
    if (t >= distance) {
      sum += from[t - distance];
    }
    to[t] = sum;
    __syncthreads();
    int* const filled = to;
    to = from;
    from = filled;
  }
  if (i < n) {
    out[i] = from[t];
  }
}

int main() {
  const int n = 1000;
  const int block = 128;
  const int grid = (n + block - 1) / block;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = 1 + i % 5;

  int *device_in, *device_out;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&device_out, n * sizeof(int));
  cudaMemcpy(device_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  scan<<<grid, block, 2 * block * sizeof(int)>>>(device_in, device_out, n);

  const cudaError_t error =
      cudaMemcpy(out.data(), device_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device_in);
  cudaFree(device_out);
  if (error != cudaSuccess) {
    std::printf("scan: %s\n", cudaGetErrorString(error));
    return 1;
  }
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum = i % block == 0 ? in[i] : sum + in[i];
    if (out[i] != sum) {
      std::printf("scan: out[%d] is %d, not %d\n", i, out[i], sum);
      return 1;
    }
  }
  std::printf("scan: %d prefix sums are right\n", n);
}

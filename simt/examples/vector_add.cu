// c = a + b, one thread for each element.
#include <cstdio>
#include <vector>

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

int main() {
  const int n = 1000;
  const size_t num_bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }

  float *device_a, *device_b, *device_c;
  cudaMalloc(&device_a, num_bytes);
  cudaMalloc(&device_b, num_bytes);
  cudaMalloc(&device_c, num_bytes);
  cudaMemcpy(device_a, a.data(), num_bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b.data(), num_bytes, cudaMemcpyHostToDevice);

  const int block = 256;
  const int grid = (n + block - 1) / block;
  vector_add<<<grid, block>>>(device_a, device_b, device_c, n);

  const cudaError_t error = cudaMemcpy(c.data(), device_c, num_bytes, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    std::printf("vector_add: %s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);

  for (int i = 0; i < n; ++i) {
    if (c[i] != static_cast<float>(3 * i)) {
      std::printf("vector_add: c[%d] is %g, not %d\n", i, c[i], 3 * i);
      return 1;
    }
  }
  std::printf("vector_add: %d sums are right\n", n);
}

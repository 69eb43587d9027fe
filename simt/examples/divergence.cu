// One warp whose lanes take different paths: a loop that is longer in each lane, and an if with two
// sides.
#include <cstdio>
#include <vector>

constexpr int kWarp = 32;

__global__ void diverge(const float* a, float* out) {
  const int lane = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < lane; ++i) {
    sum += a[i];  // never in lane 0, 31 times in lane 31
  }
  if (lane < 8) {
    sum += a[lane];
  } else {
    sum -= a[lane + kWarp];
  }
  out[lane] = sum;
}

int main() {
  std::vector<float> a(2 * kWarp), out(kWarp);
  for (int i = 0; i < 2 * kWarp; ++i) a[i] = static_cast<float>(i);

  float *device_a, *device_out;
  cudaMalloc(&device_a, a.size() * sizeof(float));
  cudaMalloc(&device_out, out.size() * sizeof(float));
  cudaMemcpy(device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);

  diverge<<<1, kWarp>>>(device_a, device_out);

  const cudaError_t error =
      cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_out);
  if (error != cudaSuccess) {
    std::printf("divergence: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int lane = 0; lane < kWarp; ++lane) {
    const int before = lane * (lane - 1) / 2;
    const int expected = lane < 8 ? before + lane : before - (lane + kWarp);
    if (out[lane] != static_cast<float>(expected)) {
      std::printf("divergence: lane %d has %g, not %d\n", lane, out[lane], expected);
      return 1;
    }
  }
  std::printf("divergence: %d lanes are right\n", kWarp);
}

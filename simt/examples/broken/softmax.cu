// One bug is planted here: ./lab simt simt/examples/broken/softmax.cu finds it.
// Softmax of each row of a matrix, one warp for each row: lane k takes the columns k, k + 32, ...
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;

__device__ float max_of_warp(float value) {
  for (int step = kWarp / 2; step > 0; step /= 2) {
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, step));
  }
  return value;
}

__device__ float sum_of_warp(float value) {
  for (int step = kWarp / 2; step > 0; step /= 2) {
    value += __shfl_xor_sync(kAllLanes, value, step);
  }
  return value;
}

__global__ void softmax(const float* in, float* out, int num_rows, int num_columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= num_rows || threadIdx.x >= num_columns) return;
  const float* x = in + row * num_columns;
  float* y = out + row * num_columns;

  float largest = -INFINITY;
  for (int c = threadIdx.x; c < num_columns; c += kWarp) {
    largest = fmaxf(largest, x[c]);
  }
  largest = max_of_warp(largest);

  float sum = 0;
  for (int c = threadIdx.x; c < num_columns; c += kWarp) {
    sum += expf(x[c] - largest);
  }
  sum = sum_of_warp(sum);

  for (int c = threadIdx.x; c < num_columns; c += kWarp) {
    y[c] = expf(x[c] - largest) / sum;
  }
}

// The largest difference from softmax in double precision.
double largest_error(const std::vector<float>& in, const std::vector<float>& out, int num_columns) {
  double error = 0;
  for (size_t begin = 0; begin < in.size(); begin += num_columns) {
    double sum = 0;
    for (int c = 0; c < num_columns; ++c) sum += std::exp(static_cast<double>(in[begin + c]));
    for (int c = 0; c < num_columns; ++c) {
      error = std::fmax(error, std::fabs(out[begin + c] - std::exp(in[begin + c]) / sum));
    }
  }
  return error;
}

int main() {
  const int num_rows = 10;
  const int num_columns = 20;
  const size_t num_bytes = num_rows * num_columns * sizeof(float);
  std::vector<float> in(num_rows * num_columns), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 37 % 101) / 20;

  float *device_in, *device_out;
  cudaMalloc(&device_in, num_bytes);
  cudaMalloc(&device_out, num_bytes);
  cudaMemcpy(device_in, in.data(), num_bytes, cudaMemcpyHostToDevice);

  const dim3 block(kWarp, 4);
  softmax<<<(num_rows + 3) / 4, block>>>(device_in, device_out, num_rows, num_columns);

  const cudaError_t error = cudaMemcpy(out.data(), device_out, num_bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_in);
  cudaFree(device_out);
  if (error != cudaSuccess) {
    std::printf("softmax: %s\n", cudaGetErrorString(error));
    return 1;
  }
  const double off_by = largest_error(in, out, num_columns);
  const bool is_right = off_by < 1e-6;
  std::printf("softmax: %s\n", is_right ? "within 1e-6 of double precision" : "wrong");
  return is_right ? 0 : 1;
}

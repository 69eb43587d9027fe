// The transpose of a matrix, in three ways: straight; through a tile in shared memory; and through
// a tile with one column more than it needs.
#include <cstdio>
#include <vector>

constexpr int kTile = 32;

__global__ void transpose_straight(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) {
    out[x * height + y] = in[y * width + x];
  }
}

template <int kTileWidth>
__global__ void transpose_tiled(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTileWidth];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) {
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  }
  __syncthreads();

  // The block writes the mirrored tile, again row by row.
  const int out_x = blockIdx.y * kTile + threadIdx.x;
  const int out_y = blockIdx.x * kTile + threadIdx.y;
  if (out_x < height && out_y < width) {
    out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
  }
}

bool is_transposed(const std::vector<float>& in, const float* device_out, int width, int height) {
  std::vector<float> out(in.size());
  if (cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost) !=
      cudaSuccess) {
    return false;
  }
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (out[x * height + y] != in[y * width + x]) return false;
    }
  }
  return true;
}

int main() {
  const int width = 96;
  const int height = 64;
  const size_t num_bytes = width * height * sizeof(float);
  std::vector<float> in(width * height);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);

  float *device_in, *device_out;
  cudaMalloc(&device_in, num_bytes);
  cudaMalloc(&device_out, num_bytes);
  cudaMemcpy(device_in, in.data(), num_bytes, cudaMemcpyHostToDevice);

  const dim3 block(kTile, kTile);
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  bool is_right = true;
  transpose_straight<<<grid, block>>>(device_in, device_out, width, height);
  is_right = is_transposed(in, device_out, width, height) && is_right;
  transpose_tiled<kTile><<<grid, block>>>(device_in, device_out, width, height);
  is_right = is_transposed(in, device_out, width, height) && is_right;
  transpose_tiled<kTile + 1><<<grid, block>>>(device_in, device_out, width, height);
  is_right = is_transposed(in, device_out, width, height) && is_right;

  cudaFree(device_in);
  cudaFree(device_out);
  std::printf("transpose: %s\n", is_right ? "three times right" : "wrong");
  return is_right ? 0 : 1;
}

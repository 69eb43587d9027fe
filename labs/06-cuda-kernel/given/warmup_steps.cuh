#pragma once
// For the tests: steps 6.2 and 6.3, each of them alone.
// warmup.cu includes this file at its end, where these functions are known.

namespace kv {

// The second warp of each block goes past the calls: a barrier of the block would miss it.
template <int kLanes>
__global__ void reduce_groups(float* maxima, float* sums, const float* values) {
  if (threadIdx.x < kWarpSize) {
    const int i = blockIdx.x * kWarpSize + threadIdx.x;
    maxima[i] = group_reduce<kLanes>(values[i], Max());
    sums[i] = group_reduce<kLanes>(values[i], Sum());
  }
}

void launch_group_reduce(
    float* maxima, float* sums, const float* values, int num_warps, int num_lanes) {
  if (num_lanes == 8) reduce_groups<8><<<num_warps, 2 * kWarpSize>>>(maxima, sums, values);
  if (num_lanes == 16) reduce_groups<16><<<num_warps, 2 * kWarpSize>>>(maxima, sums, values);
  if (num_lanes == 32) reduce_groups<32><<<num_warps, 2 * kWarpSize>>>(maxima, sums, values);
}

// Calls in a row, with all threads of each block. The shares of a sum are exact, and their sum is
// the same: two calls with one operation, and therefore with one shared array.
__global__ void reduce_twice(float* maxima, float* sums, const float* values) {
  const int i = blockIdx.x * kNumThreads + threadIdx.x;
  maxima[i] = block_reduce(values[i], Max());
  const float sum = block_reduce(values[i], Sum());
  sums[i] = block_reduce(sum / kNumThreads, Sum());
}

void launch_block_reduce(float* maxima, float* sums, const float* values, int num_blocks) {
  reduce_twice<<<num_blocks, kNumThreads>>>(maxima, sums, values);
}

}  // namespace kv

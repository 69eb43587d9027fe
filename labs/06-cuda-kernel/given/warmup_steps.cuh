#pragma once
// For the tests: step 6.2 alone, calls in a row, with all threads of each block.
// warmup.cu includes this file at its end, where block_reduce is known.

namespace kv {

// The shares of a sum are exact, and their sum is the same: two calls with one operation, and
// therefore with one shared array.
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

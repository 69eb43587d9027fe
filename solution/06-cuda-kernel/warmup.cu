// Rung 0: one thread for each element, and threads that work together.

#include "06-cuda-kernel/given/cuda_check.h"
#include "06-cuda-kernel/kernels.h"
#include "block_reduce.cuh"
#include "kv/todo.h"

namespace kv {

// Grid: enough blocks of kNumThreads threads to have one thread for each element; the last block
// may have more threads than that.
// One thread reads a[i] and b[i], and writes sum[i].
__global__ void vector_add(float* sum, const float* a, const float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

void launch_vector_add(float* sum, const float* a, const float* b, int n) {
  if (n == 0) return;  // Why: CUDA refuses a grid without blocks.
  const int num_blocks = (n + kNumThreads - 1) / kNumThreads;
  vector_add<<<num_blocks, kNumThreads>>>(sum, a, b, n);
  KV_CUDA_CHECK(cudaGetLastError());
}

}  // namespace kv

#include "06-cuda-kernel/given/warmup_steps.cuh"  // steps 6.2 and 6.3 alone, for their tests

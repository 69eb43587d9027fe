// Rung 1: the keys and values of new tokens go into the cache.

#include "06-cuda-kernel/given/cuda_check.h"
#include "06-cuda-kernel/kernels.h"
#include "kv/todo.h"

namespace kv {

// Grid: one block for each token. Block: kNumThreads threads, which share the numbers of its row.
// Thread t reads and writes the numbers t, t + kNumThreads, ... of both rows, each exactly once:
//
//   row      0  1  2 ... 31 | 32 ... 63 | 64 ... 95 | 96 ... 127 | 128 129 ...
//   thread   0  1  2 ... 31 | 32 ... 63 | 64 ... 95 | 96 ... 127 |   0   1 ...
//               warp 0         warp 1      warp 2       warp 3       warp 0
template <class Scalar>
__global__ void reshape_and_cache(const Scalar* key,
                                  const Scalar* value,
                                  Scalar* key_cache,
                                  Scalar* value_cache,
                                  const std::int64_t* slot_mapping,
                                  int row_size) {
  KV_TODO("6.4 reshape_and_cache");
}

template <class Scalar>
void launch_reshape_and_cache(const Scalar* key,
                              const Scalar* value,
                              Scalar* key_cache,
                              Scalar* value_cache,
                              const std::int64_t* slot_mapping,
                              int num_tokens,
                              int row_size) {
  if (num_tokens == 0) return;
  reshape_and_cache<Scalar>
      <<<num_tokens, kNumThreads>>>(key, value, key_cache, value_cache, slot_mapping, row_size);
  KV_CUDA_CHECK(cudaGetLastError());
}

template decltype(launch_reshape_and_cache<float>) launch_reshape_and_cache<float>;
template decltype(launch_reshape_and_cache<__half>) launch_reshape_and_cache<__half>;
template decltype(launch_reshape_and_cache<__nv_bfloat16>) launch_reshape_and_cache<__nv_bfloat16>;

}  // namespace kv

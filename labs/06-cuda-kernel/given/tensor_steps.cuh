#pragma once
// For the tests: steps 6.18 to 6.22, each of them alone.
// paged_attention_tensor.cu includes this file at its end, where these functions are known.

namespace kv {

// Where the tests' kernels keep tiles, as TensorShared keeps them.
template <class Scalar, int kHeadSize>
using Stages = Scalar[kNumStages][kTile * TensorShared<Scalar, kHeadSize>::kRow];

// One warp: copies a tile to rows of head_size numbers.
template <class Scalar, int kHeadSize>
__device__ void write_tile(Scalar* rows, const Scalar* tile) {
  for (int i = threadIdx.x % kWarpSize; i < kTile * kHeadSize; i += kWarpSize) {
    rows[i] = tile[i / kHeadSize * TensorShared<Scalar, kHeadSize>::kRow + i % kHeadSize];
  }
}

// One warp for each KV head and sequence: two batches, the keys and then the values.
template <class Scalar, int kHeadSize>
__global__ void write_started_tiles(
    Scalar* tiles, PagedAttentionParams<Scalar> p, int first_token, int end_token, bool waits) {
  __shared__ __align__(16) Stages<Scalar, kHeadSize> stages;
  Scalar* const to = tiles + (blockIdx.y * p.num_kv_heads + blockIdx.x) * 2 * kTile * kHeadSize;
  const int end = min(end_token, p.seq_lens[blockIdx.y]);
  start_tile<Scalar, kHeadSize>(stages[0], p.key_cache, p, blockIdx.x, first_token, end);
  start_tile<Scalar, kHeadSize>(stages[1], p.value_cache, p, blockIdx.x, first_token, end);
  if (waits) __pipeline_wait_prior(1);
  __syncwarp();
  write_tile<Scalar, kHeadSize>(to, stages[0]);
  __pipeline_wait_prior(0);
  __syncwarp();
  write_tile<Scalar, kHeadSize>(to + kTile * kHeadSize, stages[1]);
}

template <class Scalar>
void launch_start_tile(Scalar* tiles,
                       const PagedAttentionParams<Scalar>& params,
                       int first_token,
                       int end_token,
                       bool waits) {
  with_head_size(params.head_size, [&](auto head_size) {
    write_started_tiles<Scalar, decltype(head_size)::value>
        <<<dim3(params.num_kv_heads, params.num_seqs), kWarpSize>>>(tiles, params, first_token,
                                                                    end_token, waits);
  });
}

// The tiles of this warp, if all tokens of the sequence from first_token on are one partition.
template <class Scalar, int kHeadSize>
__device__ TileStream<Scalar, kHeadSize> stream_of_warp(Stages<Scalar, kHeadSize>& stages,
                                                        const PagedAttentionParams<Scalar>& p,
                                                        int first_token) {
  const int end_token = p.seq_lens[blockIdx.y];
  const int first_of_warp = first_token + threadIdx.x / kWarpSize * kTile;
  const int num_tiles = (end_token - first_of_warp + kNumWarps * kTile - 1) / (kNumWarps * kTile);
  return {stages, p, first_of_warp, end_token, max(num_tiles, 0)};
}

template <class Scalar, int kHeadSize>
__global__ void write_streams(Scalar* tiles,
                              PagedAttentionParams<Scalar> p,
                              int first_token,
                              bool reads_ahead) {
  __shared__ __align__(16) Stages<Scalar, kHeadSize> stages[kNumWarps];
  const int warp = threadIdx.x / kWarpSize;
  auto stream = stream_of_warp<Scalar, kHeadSize>(stages[warp], p, first_token);
  const int num_rows = (p.seq_lens[blockIdx.y] - first_token + kTile - 1) / kTile * kTile;
  Scalar* const to =
      tiles + (blockIdx.y * p.num_kv_heads + blockIdx.x) * 2 * kMaxTensorPartition * kHeadSize;
  stream.start_next();
  for (int i = 0; i < 2 * stream.num_tiles; ++i) {
    const Scalar* tile = stream.next();
    if (reads_ahead) tile = stages[warp][(i + 1) % kNumStages];
    const int is_value = i / stream.num_tiles;
    const int row = (warp + i % stream.num_tiles * kNumWarps) * kTile;
    write_tile<Scalar, kHeadSize>(to + (is_value * num_rows + row) * kHeadSize, tile);
  }
}

template <class Scalar>
void launch_tile_stream(Scalar* tiles,
                        const PagedAttentionParams<Scalar>& params,
                        int first_token,
                        bool reads_ahead) {
  with_head_size(params.head_size, [&](auto head_size) {
    write_streams<Scalar, decltype(head_size)::value>
        <<<dim3(params.num_kv_heads, params.num_seqs), kNumThreads>>>(tiles, params, first_token,
                                                                      reads_ahead);
  });
}

template <class Scalar, int kHeadSize>
__device__ TensorShared<Scalar, kHeadSize>& tensor_shared() {
  extern __shared__ uint4 shared_bytes[];
  return *reinterpret_cast<TensorShared<Scalar, kHeadSize>*>(shared_bytes);
}

// Calls `launch` with the head size as a type, and with the bytes of shared memory.
template <class Scalar, class Launch>
void with_tensor_shared(const PagedAttentionParams<Scalar>& params, Launch launch) {
  with_head_size(params.head_size, [&](auto head_size) {
    launch(head_size, static_cast<int>(sizeof(TensorShared<Scalar, decltype(head_size)::value>)));
  });
}

template <class Scalar, int kHeadSize>
__global__ void write_products(float* scores, PagedAttentionParams<Scalar> p, int first_token) {
  auto& shared = tensor_shared<Scalar, kHeadSize>();
  auto stream = stream_of_warp<Scalar, kHeadSize>(shared.warps[threadIdx.x / kWarpSize].stages, p,
                                                  first_token);
  stream.start_next();
  load_queries<Scalar, kHeadSize>(shared.query, p);
  __syncthreads();
  score_tiles<Scalar, kHeadSize>(shared.scores, shared.query, stream);
  __syncthreads();
  const int group_size = p.num_heads / p.num_kv_heads;
  const int first_row = blockIdx.y * p.num_heads + blockIdx.x * group_size;
  const int num_tokens = p.seq_lens[blockIdx.y] - first_token;
  for (int i = threadIdx.x; i < group_size * num_tokens; i += kNumThreads) {
    const int h = i / num_tokens;
    const int token = i % num_tokens;
    scores[(first_row + h) * kMaxTensorPartition + token] =
        shared.scores[h * TensorShared<Scalar, kHeadSize>::kScoreRow + token];
  }
}

template <class Scalar>
void launch_score_tiles(float* scores,
                        const PagedAttentionParams<Scalar>& params,
                        int first_token) {
  with_tensor_shared(params, [&](auto head_size, int bytes) {
    const auto kernel = write_products<Scalar, decltype(head_size)::value>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    kernel<<<dim3(params.num_kv_heads, params.num_seqs), kNumThreads, bytes>>>(scores, params,
                                                                               first_token);
  });
}

// One warp for each row. Only the weights of whole tiles are copied.
template <class Scalar>
__global__ void write_row_weights(Scalar* weights,
                                  float* max_logits,
                                  float* exp_sums,
                                  const float* scores,
                                  const int* num_tokens,
                                  float scale) {
  __shared__ __align__(16) float row[kMaxTensorPartition];
  const int lane = threadIdx.x;
  const int first = blockIdx.x * kMaxTensorPartition;
  const int num = num_tokens[blockIdx.x];
  for (int i = lane; i < num; i += kWarpSize) row[i] = scores[first + i];
  __syncwarp();
  const AttentionState<1> state = weigh_scores<Scalar>(row, num, scale);
  __syncwarp();
  const Scalar* const row_weights = reinterpret_cast<const Scalar*>(row);
  for (int i = lane; i < (num + kTile - 1) / kTile * kTile; i += kWarpSize) {
    weights[first + i] = row_weights[i];
  }
  if (lane > 0) return;
  max_logits[blockIdx.x] = state.max_logit;
  exp_sums[blockIdx.x] = state.exp_sum;
}

template <class Scalar>
void launch_weigh_scores(Scalar* weights,
                         float* max_logits,
                         float* exp_sums,
                         const float* scores,
                         const int* num_tokens,
                         int num_rows,
                         float scale) {
  write_row_weights<<<num_rows, kWarpSize>>>(weights, max_logits, exp_sums, scores, num_tokens,
                                             scale);
}

template <class Scalar, int kHeadSize>
__global__ void write_value_sums(float* out,
                                 const Scalar* weights,
                                 PagedAttentionParams<Scalar> p,
                                 int first_token) {
  using Shared = TensorShared<Scalar, kHeadSize>;
  Shared& shared = tensor_shared<Scalar, kHeadSize>();
  const int warp = threadIdx.x / kWarpSize;
  const int group_size = p.num_heads / p.num_kv_heads;
  const int first_row = blockIdx.y * p.num_heads + blockIdx.x * group_size;
  const int num_rows = (p.seq_lens[blockIdx.y] - first_token + kTile - 1) / kTile * kTile;
  for (int i = threadIdx.x; i < kTile * num_rows; i += kNumThreads) {
    const int h = i / num_rows;
    const std::size_t from = (first_row + h) * kMaxTensorPartition + i % num_rows;
    shared.weights()[h * Shared::kWeightRow + i % num_rows] =
        h < group_size ? weights[from] : from_float<Scalar>(0);
  }
  auto stream = stream_of_warp<Scalar, kHeadSize>(shared.warps[warp].stages, p, first_token);
  stream.num_started = stream.num_tiles;  // the keys are used
  stream.start_next();
  __syncthreads();
  sum_values<Scalar, kHeadSize>(shared.warps[warp].out, shared.weights(), stream);
  __syncthreads();
  for (int i = threadIdx.x; i < group_size * kHeadSize; i += kNumThreads) {
    float sum = 0;
    for (const auto& each : shared.warps) sum += each.out[i];
    out[first_row * kHeadSize + i] = sum;
  }
}

template <class Scalar>
void launch_sum_values(float* out,
                       const Scalar* weights,
                       const PagedAttentionParams<Scalar>& params,
                       int first_token) {
  with_tensor_shared(params, [&](auto head_size, int bytes) {
    const auto kernel = write_value_sums<Scalar, decltype(head_size)::value>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    kernel<<<dim3(params.num_kv_heads, params.num_seqs), kNumThreads, bytes>>>(out, weights, params,
                                                                               first_token);
  });
}

template decltype(launch_start_tile<__half>) launch_start_tile<__half>;
template decltype(launch_start_tile<__nv_bfloat16>) launch_start_tile<__nv_bfloat16>;
template decltype(launch_tile_stream<__half>) launch_tile_stream<__half>;
template decltype(launch_score_tiles<__half>) launch_score_tiles<__half>;
template decltype(launch_score_tiles<__nv_bfloat16>) launch_score_tiles<__nv_bfloat16>;
template decltype(launch_weigh_scores<__half>) launch_weigh_scores<__half>;
template decltype(launch_weigh_scores<__nv_bfloat16>) launch_weigh_scores<__nv_bfloat16>;
template decltype(launch_sum_values<__half>) launch_sum_values<__half>;
template decltype(launch_sum_values<__nv_bfloat16>) launch_sum_values<__nv_bfloat16>;

}  // namespace kv

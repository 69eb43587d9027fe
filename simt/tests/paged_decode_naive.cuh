#pragma once
// One decode step: the arguments of its kernels, and the simplest kernel.

constexpr int kHeadDim = 128;
constexpr int kHeads = 32;
constexpr int kKvHeads = 8;
constexpr int kGroup = kHeads / kKvHeads;  // query heads that read the same KV head
constexpr int kBlockSize = 16;             // tokens
constexpr int kMaxTokens = 1024;
constexpr int kThreads = 128;
constexpr int kSlotElements = kKvHeads * kHeadDim;
constexpr int kBlockElements = kBlockSize * kSlotElements;

struct Decode {
  const __nv_bfloat16* query;   // [sequence][head][dim]
  const __nv_bfloat16* keys;    // [block][slot][KV head][dim]
  const __nv_bfloat16* values;  // like keys
  const int* block_tables;      // [sequence][max_blocks]
  const int* seq_lens;
  int max_blocks;
  __nv_bfloat16* out;  // like query
};

// The place of a token's key and value.
__device__ inline size_t slot_of(const Decode& d, int token, int kv_head) {
  const int block = d.block_tables[blockIdx.y * d.max_blocks + token / kBlockSize];
  return static_cast<size_t>(block) * kBlockElements + token % kBlockSize * kSlotElements +
         kv_head * kHeadDim;
}

// A block of threads for each query head of each sequence: one thread scores one token, element by
// element; then one thread sums up one dimension.
__global__ void decode_naive(Decode d) {
  __shared__ float scores[kMaxTokens];
  __shared__ float query[kHeadDim];
  const int num_tokens = d.seq_lens[blockIdx.y];
  const int query_begin = (blockIdx.y * kHeads + blockIdx.x) * kHeadDim;
  query[threadIdx.x] = __bfloat162float(d.query[query_begin + threadIdx.x]);
  __syncthreads();

  for (int token = threadIdx.x; token < num_tokens; token += kThreads) {
    const __nv_bfloat16* key = d.keys + slot_of(d, token, blockIdx.x / kGroup);
    float score = 0;
    for (int i = 0; i < kHeadDim; ++i) score += query[i] * __bfloat162float(key[i]);
    scores[token] = score * rsqrtf(kHeadDim);
  }
  __syncthreads();

  float largest = -INFINITY;
  for (int token = 0; token < num_tokens; ++token) largest = fmaxf(largest, scores[token]);
  float sum = 0;
  float result = 0;
  for (int token = 0; token < num_tokens; ++token) {
    const float weight = expf(scores[token] - largest);
    sum += weight;
    const size_t slot = slot_of(d, token, blockIdx.x / kGroup);
    result += weight * __bfloat162float(d.values[slot + threadIdx.x]);
  }
  d.out[query_begin + threadIdx.x] = __float2bfloat16(result / sum);
}

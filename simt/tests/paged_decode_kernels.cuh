#pragma once
// One decode step: the arguments of its kernels, the simplest kernel, and one that reads each key
// and each value once.

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

constexpr int kLanes = 8;  // a quarter of a warp holds one token, 16 dimensions in each lane
constexpr int kTeams = kThreads / kLanes;
constexpr int kDims = kHeadDim / kLanes;

// A lane's dimensions: eight of each half of a head, so that a team's loads are side by side.
__device__ inline int dim_of(int lane, int i) {
  return i / 8 * (kHeadDim / 2) + 8 * lane + i % 8;
}

__device__ inline void load_dims(const __nv_bfloat16* head, int lane, float (&to)[kDims]) {
  for (int begin = 0; begin < kDims; begin += 8) {
    const uint4 packed = *reinterpret_cast<const uint4*>(head + dim_of(lane, begin));
    const unsigned words[4] = {packed.x, packed.y, packed.z, packed.w};
    for (int i = 0; i < 4; ++i) {
      to[begin + 2 * i] = __uint_as_float(words[i] << 16);
      to[begin + 2 * i + 1] = __uint_as_float(words[i] & 0xffff0000u);
    }
  }
}

// A lane's part of one query head: the state of an online softmax, and some dimensions of the
// result.
struct Running {
  float query[kDims];
  float largest = -INFINITY;
  float sum = 0;
  float result[kDims] = {};
};

__device__ inline void add_token(Running& head,
                                 const float (&key)[kDims],
                                 const float (&value)[kDims],
                                 unsigned team) {
  float score = 0;
  for (int i = 0; i < kDims; ++i) score += head.query[i] * key[i];
  for (int step = kLanes / 2; step > 0; step /= 2) score += __shfl_xor_sync(team, score, step);
  score *= rsqrtf(kHeadDim);
  const float new_largest = fmaxf(head.largest, score);
  const float keep = expf(head.largest - new_largest);
  const float weight = expf(score - new_largest);
  for (int i = 0; i < kDims; ++i) head.result[i] = head.result[i] * keep + weight * value[i];
  head.sum = head.sum * keep + weight;
  head.largest = new_largest;
}

// A block of threads for each KV head of each sequence, so that its keys and values are read once.
// Sixteen teams of eight lanes take the tokens in turn, 16 bytes a load; then all are merged.
__global__ void decode_tuned(Decode d) {
  __shared__ float team_results[kTeams][kGroup][kHeadDim];
  __shared__ float team_largest[kTeams][kGroup];
  __shared__ float team_sum[kTeams][kGroup];
  const int team = threadIdx.x / kLanes;
  const int lane = threadIdx.x % kLanes;
  const unsigned team_mask = 0xffu << (threadIdx.x % 32 / kLanes * kLanes);
  const int num_tokens = d.seq_lens[blockIdx.y];
  const int query_begin = (blockIdx.y * kHeads + blockIdx.x * kGroup) * kHeadDim;
  Running heads[kGroup];
  for (int h = 0; h < kGroup; ++h) {
    load_dims(d.query + query_begin + h * kHeadDim, lane, heads[h].query);
  }

  for (int token = team; token < num_tokens; token += kTeams) {
    const size_t slot = slot_of(d, token, blockIdx.x);
    float key[kDims], value[kDims];
    load_dims(d.keys + slot, lane, key);
    load_dims(d.values + slot, lane, value);
    for (Running& head : heads) add_token(head, key, value, team_mask);
  }

  for (int h = 0; h < kGroup; ++h) {
    for (int i = 0; i < kDims; ++i) team_results[team][h][dim_of(lane, i)] = heads[h].result[i];
    if (lane == 0) team_largest[team][h] = heads[h].largest;
    if (lane == 0) team_sum[team][h] = heads[h].sum;
  }
  __syncthreads();

  for (int h = 0; h < kGroup; ++h) {
    float largest = -INFINITY;
    for (int t = 0; t < kTeams; ++t) largest = fmaxf(largest, team_largest[t][h]);
    float sum = 0;
    float result = 0;  // now one thread for each dimension
    for (int t = 0; t < kTeams; ++t) {
      const float weight = expf(team_largest[t][h] - largest);
      result += weight * team_results[t][h][threadIdx.x];
      sum += weight * team_sum[t][h];
    }
    d.out[query_begin + h * kHeadDim + threadIdx.x] = __float2bfloat16(result / sum);
  }
}

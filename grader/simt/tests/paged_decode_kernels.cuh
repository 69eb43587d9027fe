#pragma once
// Two kernels for one decode step. Each block of threads serves one query head of one sequence.

constexpr int kHeadDim = 128;
constexpr int kHeads = 32;
constexpr int kKvHeads = 8;
constexpr int kBlockSize = 16;  // tokens
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

// Where the key and the value of a token lie.
__device__ inline size_t slot_of(const Decode& d, int token) {
  const int kv_head = blockIdx.x / (kHeads / kKvHeads);
  const int block = d.block_tables[blockIdx.y * d.max_blocks + token / kBlockSize];
  return static_cast<size_t>(block) * kBlockElements + token % kBlockSize * kSlotElements +
         kv_head * kHeadDim;
}

// One thread scores one token, element by element; then one thread sums up one dimension.
__global__ void decode_naive(Decode d) {
  __shared__ float scores[kMaxTokens];
  __shared__ float query[kHeadDim];
  const int num_tokens = d.seq_lens[blockIdx.y];
  const int query_begin = (blockIdx.y * kHeads + blockIdx.x) * kHeadDim;
  query[threadIdx.x] = __bfloat162float(d.query[query_begin + threadIdx.x]);
  __syncthreads();

  for (int token = threadIdx.x; token < num_tokens; token += kThreads) {
    const __nv_bfloat16* key = d.keys + slot_of(d, token);
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
    result += weight * __bfloat162float(d.values[slot_of(d, token) + threadIdx.x]);
  }
  d.out[query_begin + threadIdx.x] = __float2bfloat16(result / sum);
}

constexpr int kLanes = 16;  // half a warp holds one token: 8 dimensions in each lane
constexpr int kTeams = kThreads / kLanes;

__device__ inline void load_8(const __nv_bfloat16* from, float (&to)[8]) {
  const uint4 packed = *reinterpret_cast<const uint4*>(from);
  const unsigned words[4] = {packed.x, packed.y, packed.z, packed.w};
  for (int i = 0; i < 4; ++i) {
    to[2 * i] = __uint_as_float(words[i] << 16);
    to[2 * i + 1] = __uint_as_float(words[i] & 0xffff0000u);
  }
}

// Eight teams of 16 lanes take the tokens in turn, 16 bytes a lane, with a running softmax each;
// the first team merges them.
__global__ void decode_tuned(Decode d) {
  __shared__ float4 team_results[kTeams][2][kLanes];
  __shared__ float team_largest[kTeams];
  __shared__ float team_sum[kTeams];
  const int team = threadIdx.x / kLanes;
  const int lane = threadIdx.x % kLanes;
  const unsigned mask = 0xffffu << (threadIdx.x % 32 / kLanes * kLanes);
  const int num_tokens = d.seq_lens[blockIdx.y];
  const int query_begin = (blockIdx.y * kHeads + blockIdx.x) * kHeadDim;
  float query[8], key[8], value[8], result[8] = {};
  load_8(d.query + query_begin + 8 * lane, query);
  float largest = -INFINITY;
  float sum = 0;

  for (int token = team; token < num_tokens; token += kTeams) {
    const size_t slot = slot_of(d, token) + 8 * lane;
    load_8(d.keys + slot, key);
    load_8(d.values + slot, value);
    float score = 0;
    for (int i = 0; i < 8; ++i) score += query[i] * key[i];
    for (int step = kLanes / 2; step > 0; step /= 2) score += __shfl_xor_sync(mask, score, step);
    score *= rsqrtf(kHeadDim);
    const float new_largest = fmaxf(largest, score);
    const float keep = expf(largest - new_largest);
    const float weight = expf(score - new_largest);
    for (int i = 0; i < 8; ++i) result[i] = result[i] * keep + weight * value[i];
    sum = sum * keep + weight;
    largest = new_largest;
  }

  team_results[team][0][lane] = make_float4(result[0], result[1], result[2], result[3]);
  team_results[team][1][lane] = make_float4(result[4], result[5], result[6], result[7]);
  if (lane == 0) team_largest[team] = largest;
  if (lane == 0) team_sum[team] = sum;
  __syncthreads();

  const int i = threadIdx.x;  // now one thread for each dimension
  float all_largest = -INFINITY;
  for (int t = 0; t < kTeams; ++t) all_largest = fmaxf(all_largest, team_largest[t]);
  float all_sum = 0;
  float all_result = 0;
  for (int t = 0; t < kTeams; ++t) {
    const float weight = expf(team_largest[t] - all_largest);
    const float4& four = team_results[t][i % 8 / 4][i / 8];
    all_result += weight * (&four.x)[i % 4];
    all_sum += weight * team_sum[t];
  }
  d.out[query_begin + i] = __float2bfloat16(all_result / all_sum);
}

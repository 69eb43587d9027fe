#pragma once
// A kernel for one decode step that reads each key and each value once.

#include "paged_decode_naive.cuh"

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

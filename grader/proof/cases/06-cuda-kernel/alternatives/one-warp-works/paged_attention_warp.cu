// Rung 3: one pass over keys and values, 16 bytes a lane, sums by shuffles.

#include "06-cuda-kernel/given/dispatch.h"
#include "06-cuda-kernel/given/vec16.cuh"
#include "06-cuda-kernel/kernels.h"
#include "block_reduce.cuh"
#include "kv/todo.h"
#include "online_softmax.cuh"
#include "paged_rows.cuh"

namespace kv {

// Grid: (num_heads, num_seqs), one block for each query head of each sequence.
// Block: kNumThreads threads, in groups of kLanes lanes that hold one token, 16 bytes in each lane.
// With head_size 64 and half precision a group has 8 lanes, and one request of a warp is four
// tokens:
//
//   lane         0    1    2  ...  7 |  8    9 ... 15 | 16   17 ... 23 | 24   25 ... 31
//   token        t    t    t       t | t+1            | t+2            | t+3
//   dimensions  0-7 8-15 16-23 56-63 | 0-7            | 0-7            | 0-7
//
// A lane reads its 16 bytes of the query once, and those of the keys and values of its tokens once.
// Group g owns the tokens g, g + kGroups, ... All lanes of a warp make the same number of rounds,
// because all of them have to make each shuffle.
// Shared: the partial result of each group. Barriers: one, before these are merged.
template <class Scalar, int kHeadSize>
__global__ void paged_attention_warp(PagedAttentionParams<Scalar> p) {
  constexpr int kDims = kVec<Scalar>;
  constexpr int kLanes = kHeadSize / kDims;
  constexpr int kGroups = kWarpSize / kLanes;  // the other warps only write the result
  __shared__ float max_logits[kGroups];
  __shared__ float exp_sums[kGroups];
  __shared__ __align__(16) float tmp_out[kGroups * kHeadSize];
  const int head = blockIdx.x;
  const int seq = blockIdx.y;
  const int group = threadIdx.x / kLanes;
  const int first_dim = threadIdx.x % kLanes * kDims;
  const std::size_t row = (seq * p.num_heads + head) * kHeadSize;
  const int kv_head = head / (p.num_heads / p.num_kv_heads);
  const int seq_len = p.seq_lens[seq];
  float query[kDims];
  load_vec(query, p.query + row + first_dim);
  AttentionState<kDims> state;
  const bool is_first_warp = threadIdx.x < kWarpSize;
  for (int first = 0; is_first_warp && first < seq_len; first += kGroups) {
    const int token = first + group;
    float key[kDims] = {};
    float value[kDims] = {};
    if (token < seq_len) {
      const std::size_t begin = row_of_token(p, seq, token, kv_head) + first_dim;
      load_vec(key, p.key_cache + begin);
      load_vec(value, p.value_cache + begin);
    }
    const float score = p.scale * group_reduce<kLanes>(dot(query, key), Sum());
    if (token < seq_len) add_token(state, score, value);
  }

  if (is_first_warp) {
    max_logits[group] = state.max_logit;
    exp_sums[group] = state.exp_sum;
    store_vec(tmp_out + group * kHeadSize + first_dim, state.out);
  }
  __syncthreads();  // all partial results are there

  const int dim = threadIdx.x;
  if (dim >= kHeadSize) return;
  const float out = merge_partials(max_logits, exp_sums, tmp_out, kGroups, kHeadSize, dim);
  p.out[row + dim] = from_float<Scalar>(out);
}

template <class Scalar>
void launch_paged_attention_warp(const PagedAttentionParams<Scalar>& params) {
  require_sizes(params);
  with_head_size(params.head_size, [&](auto head_size) {
    const dim3 grid(params.num_heads, params.num_seqs);
    paged_attention_warp<Scalar, decltype(head_size)::value><<<grid, kNumThreads>>>(params);
  });
}

template decltype(launch_paged_attention_warp<float>) launch_paged_attention_warp<float>;
template decltype(launch_paged_attention_warp<__half>) launch_paged_attention_warp<__half>;
template decltype(launch_paged_attention_warp<__nv_bfloat16>)
    launch_paged_attention_warp<__nv_bfloat16>;

}  // namespace kv

#include "06-cuda-kernel/given/warp_steps.cuh"  // steps 6.9 and 6.10 alone, for their tests

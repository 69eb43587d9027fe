#pragma once
// For the tests: steps 6.12 and 6.13, each of them alone.
// paged_attention_group.cu includes this file at its end, where these functions are known.

namespace kv {

template <class Scalar>
__global__ void write_tiles(Scalar* tiles, PagedAttentionParams<Scalar> p, int num_tokens) {
  const int size = 2 * p.block_size * p.head_size;
  Scalar* const tile = tiles + (blockIdx.y * p.num_kv_heads + blockIdx.x) * size;
  load_tile(tile, p, blockIdx.y, blockIdx.x, 0, num_tokens);
}

template <class Scalar>
void launch_load_tile(Scalar* tiles, const PagedAttentionParams<Scalar>& params, int num_tokens) {
  require_sizes(params);
  write_tiles<<<dim3(params.num_kv_heads, params.num_seqs), threads_of_group(params)>>>(
      tiles, params, num_tokens);
}

template <class Scalar, int kHeadSize>
__global__ void write_states(PartialResults states,
                             PagedAttentionParams<Scalar> p,
                             int first_token,
                             int end_token) {
  extern __shared__ uint4 shared_tile[];
  Scalar* const tile = reinterpret_cast<Scalar*>(shared_tile);
  write_partial(states, p, 0, attend_tokens<Scalar, kHeadSize>(tile, p, first_token, end_token));
}

template <class Scalar>
void launch_attend_tokens(const PartialResults& states,
                          const PagedAttentionParams<Scalar>& params,
                          int first_token,
                          int end_token) {
  require_sizes(params);
  with_head_size(params.head_size, [&](auto head_size) {
    write_states<Scalar, decltype(head_size)::value>
        <<<dim3(params.num_kv_heads, params.num_seqs), threads_of_group(params),
           bytes_of_tile(params)>>>(states, params, first_token, end_token);
  });
}

template decltype(launch_load_tile<float>) launch_load_tile<float>;
template decltype(launch_load_tile<__half>) launch_load_tile<__half>;
template decltype(launch_attend_tokens<float>) launch_attend_tokens<float>;
template decltype(launch_attend_tokens<__half>) launch_attend_tokens<__half>;

}  // namespace kv

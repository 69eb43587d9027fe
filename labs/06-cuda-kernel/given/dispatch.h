#pragma once
// From sizes that a call has to sizes that a kernel is compiled for, and checks of both.

#include <type_traits>

#include "06-cuda-kernel/paged_attention_params.h"
#include "kv/require.h"

namespace kv {

// Calls `call` with the head size as a type: std::integral_constant<int, 64>() or that of 128.
template <class Call>
void with_head_size(int head_size, Call call) {
  if (head_size == 64) return call(std::integral_constant<int, 64>());
  call(std::integral_constant<int, 128>());
}

template <class Scalar>
bool has_a_size_of_the_lab(const PagedAttentionParams<Scalar>& params) {
  const int block_size = params.block_size;
  return (params.head_size == 64 || params.head_size == 128) &&
         (block_size == 8 || block_size == 16 || block_size == 32);
}

template <class Scalar>
void require_sizes(const PagedAttentionParams<Scalar>& params) {
  KV_REQUIRE("head_size is 64 or 128, and block_size 8, 16 or 32", has_a_size_of_the_lab(params));
  KV_REQUIRE("num_heads is a multiple of num_kv_heads",
             params.num_kv_heads > 0 && params.num_heads % params.num_kv_heads == 0);
}

}  // namespace kv

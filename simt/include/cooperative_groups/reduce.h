#pragma once
// cooperative_groups::reduce: the values of all threads of a tile, or of lanes that run together,
// combined, for each of them.

#include <limits>

#include "cooperative_groups.h"

namespace cooperative_groups {

// `identity` is what an exclusive scan gives its first thread.
#define KV_SIMT_OPERATION(name, expression, first)                       \
  template <typename T>                                                  \
  struct name {                                                          \
    KV_SIMT_INLINE T operator()(T a, T b) const { return (expression); } \
    static KV_SIMT_INLINE T identity() { return static_cast<T>(first); } \
  };
KV_SIMT_OPERATION(plus, a + b, T())
KV_SIMT_OPERATION(less, b < a ? b : a, std::numeric_limits<T>::max())
KV_SIMT_OPERATION(greater, a < b ? b : a, std::numeric_limits<T>::lowest())
KV_SIMT_OPERATION(bit_and, a& b, ~T())
KV_SIMT_OPERATION(bit_or, a | b, T())
KV_SIMT_OPERATION(bit_xor, a ^ b, T())
#undef KV_SIMT_OPERATION

template <unsigned Size, typename Parent, typename T, typename Operation>
KV_SIMT_INLINE T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
  for (unsigned step = Size / 2; step > 0; step /= 2) {
    value = operation(value, tile.shfl_xor(value, step));
  }
  return value;
}

template <typename T, typename Operation>
KV_SIMT_INLINE T reduce(const coalesced_group& group, T value, Operation operation) {
  T all = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.num_threads(); ++rank) {
    all = operation(all, group.shfl(value, rank));
  }
  return all;
}

}  // namespace cooperative_groups

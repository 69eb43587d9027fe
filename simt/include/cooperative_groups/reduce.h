#pragma once
// cooperative_groups::reduce: the values of all threads of a tile combined, for each of them.

#include "cooperative_groups.h"

namespace cooperative_groups {

template <typename T>
struct plus {
  KV_SIMT_INLINE T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct less {  // the minimum, as in NVIDIA's header
  KV_SIMT_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
  KV_SIMT_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};

template <unsigned Size, typename Parent, typename T, typename Operation>
KV_SIMT_INLINE T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
  for (unsigned step = Size / 2; step > 0; step /= 2) {
    value = operation(value, tile.shfl_xor(value, step));
  }
  return value;
}

}  // namespace cooperative_groups

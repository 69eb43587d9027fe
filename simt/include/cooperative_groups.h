#pragma once
// The part of NVIDIA's cooperative groups that textbooks use: the block, and tiles of a warp. Each
// call is one of the plain intrinsics; a tile only keeps the mask of its lanes.

#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block {
 public:
  KV_SIMT_INLINE void sync() const { __syncthreads(); }
  KV_SIMT_INLINE dim3 group_index() const { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  KV_SIMT_INLINE dim3 thread_index() const { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  KV_SIMT_INLINE dim3 dim_threads() const { return {blockDim.x, blockDim.y, blockDim.z}; }
  KV_SIMT_INLINE unsigned num_threads() const { return blockDim.x * blockDim.y * blockDim.z; }
  KV_SIMT_INLINE unsigned size() const { return num_threads(); }
  KV_SIMT_INLINE unsigned thread_rank() const {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
};

KV_SIMT_INLINE thread_block this_thread_block() {
  return {};
}

// Size lanes in a row: 1, 2, 4, ... 32.
template <unsigned Size, typename Parent = thread_block>
class thread_block_tile {
 public:
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

  KV_SIMT_INLINE void sync() const { __syncwarp(mask()); }
  KV_SIMT_INLINE unsigned num_threads() const { return Size; }
  KV_SIMT_INLINE unsigned size() const { return Size; }
  KV_SIMT_INLINE unsigned thread_rank() const { return rank_in_block() % Size; }
  KV_SIMT_INLINE unsigned meta_group_rank() const { return rank_in_block() / Size; }
  KV_SIMT_INLINE unsigned meta_group_size() const {
    return (this_thread_block().num_threads() + Size - 1) / Size;
  }

  template <typename T>
  KV_SIMT_INLINE T shfl(T value, int rank) const {
    return __shfl_sync(mask(), value, rank, Size);
  }
  template <typename T>
  KV_SIMT_INLINE T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(mask(), value, delta, Size);
  }
  template <typename T>
  KV_SIMT_INLINE T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(mask(), value, delta, Size);
  }
  template <typename T>
  KV_SIMT_INLINE T shfl_xor(T value, unsigned rank_mask) const {
    return __shfl_xor_sync(mask(), value, static_cast<int>(rank_mask), Size);
  }
  KV_SIMT_INLINE int any(int predicate) const { return __any_sync(mask(), predicate); }
  KV_SIMT_INLINE int all(int predicate) const { return __all_sync(mask(), predicate); }
  KV_SIMT_INLINE unsigned ballot(int predicate) const {
    return __ballot_sync(mask(), predicate) >> first_lane();
  }

 private:
  static KV_SIMT_INLINE unsigned rank_in_block() { return this_thread_block().thread_rank(); }
  static KV_SIMT_INLINE unsigned first_lane() { return rank_in_block() % 32 / Size * Size; }
  static KV_SIMT_INLINE unsigned mask() { return 0xffffffffu >> (32 - Size) << first_lane(); }
};

template <unsigned Size, typename Parent>
KV_SIMT_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}

template <typename Group>
KV_SIMT_INLINE void sync(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#pragma once
// The part of NVIDIA's cooperative groups that textbooks use: the grid, the block, tiles of a warp
// and lanes that run together. Each call is one of the plain intrinsics; a group of lanes only
// keeps their mask.

#include <type_traits>
#include <utility>

#include "cuda_runtime.h"
#include "simt/groups.h"

namespace cooperative_groups {

// Any group of one block: all its threads, or lanes of a warp.
class thread_group {
 public:
  KV_SIMT_INLINE void sync() const {
    if (is_block_) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }
  KV_SIMT_INLINE unsigned num_threads() const {
    return is_block_ ? blockDim.x * blockDim.y * blockDim.z : static_cast<unsigned>(__popc(mask_));
  }
  KV_SIMT_INLINE unsigned size() const { return num_threads(); }
  KV_SIMT_INLINE unsigned thread_rank() const {
    return is_block_ ? kv::simt::rank_in_block() : kv::simt::rank_in_mask(mask_);
  }
  KV_SIMT_INLINE unsigned mask() const { return mask_; }  // the lanes; NVIDIA's groups hide them

 protected:
  KV_SIMT_INLINE explicit thread_group(bool is_block, unsigned mask)
      : is_block_(is_block), mask_(mask) {}

 private:
  friend thread_group tiled_partition(const thread_group& group, unsigned size);
  bool is_block_;
  unsigned mask_;  // a bit for each lane, if it is not the block
};

class thread_block : public thread_group {
 public:
  KV_SIMT_INLINE thread_block() : thread_group(true, 0) {}
  static KV_SIMT_INLINE void sync() { __syncthreads(); }
  static KV_SIMT_INLINE dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  static KV_SIMT_INLINE dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  static KV_SIMT_INLINE dim3 dim_threads() { return {blockDim.x, blockDim.y, blockDim.z}; }
  static KV_SIMT_INLINE dim3 group_dim() { return dim_threads(); }
  static KV_SIMT_INLINE unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static KV_SIMT_INLINE unsigned size() { return num_threads(); }
  static KV_SIMT_INLINE unsigned thread_rank() { return kv::simt::rank_in_block(); }
};

KV_SIMT_INLINE thread_block this_thread_block() {
  return {};
}

// All blocks of a launch. sync() needs cudaLaunchCooperativeKernel.
class grid_group {
 public:
  static KV_SIMT_INLINE bool is_valid() { return true; }
  static KV_SIMT_INLINE void sync() { kv::simt::grid_barrier(); }
  static KV_SIMT_INLINE dim3 group_dim() { return {gridDim.x, gridDim.y, gridDim.z}; }
  static KV_SIMT_INLINE dim3 dim_blocks() { return group_dim(); }
  static KV_SIMT_INLINE dim3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  static KV_SIMT_INLINE unsigned long long num_blocks() {
    return 1ull * gridDim.x * gridDim.y * gridDim.z;
  }
  static KV_SIMT_INLINE unsigned long long block_rank() {
    return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static KV_SIMT_INLINE unsigned long long num_threads() {
    return num_blocks() * thread_block::num_threads();
  }
  static KV_SIMT_INLINE unsigned long long size() { return num_threads(); }
  static KV_SIMT_INLINE unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
};

KV_SIMT_INLINE grid_group this_grid() {
  return {};
}

// Lanes that were active together.
class coalesced_group : public thread_group {
 public:
  KV_SIMT_INLINE explicit coalesced_group(unsigned lanes) : thread_group(false, lanes) {}

  template <typename T>
  KV_SIMT_INLINE T shfl(T value, unsigned rank) const {
    return from_lane(value, kv::simt::lane_with_rank(mask(), rank));
  }
  template <typename T>
  KV_SIMT_INLINE T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, rank < delta ? rank : rank - delta);
  }
  template <typename T>
  KV_SIMT_INLINE T shfl_down(T value, unsigned delta) const {
    return shfl(value, thread_rank() + delta);
  }
  KV_SIMT_INLINE int any(int predicate) const { return __any_sync(mask(), predicate); }
  KV_SIMT_INLINE int all(int predicate) const { return __all_sync(mask(), predicate); }
  KV_SIMT_INLINE unsigned ballot(int predicate) const {
    return kv::simt::packed(__ballot_sync(mask(), predicate), mask());
  }
  template <typename T>
  KV_SIMT_INLINE unsigned match_any(T value) const {
    return kv::simt::packed(__match_any_sync(mask(), value), mask());
  }
  static KV_SIMT_INLINE unsigned meta_group_size() { return 1; }
  static KV_SIMT_INLINE unsigned meta_group_rank() { return 0; }

 private:
  template <typename T>
  KV_SIMT_INLINE T from_lane(T value, int lane) const {
    return kv::simt::shuffle_words(
        value, [&](auto word) KV_SIMT_INLINE_LAMBDA { return __shfl_sync(mask(), word, lane); });
  }
};

KV_SIMT_INLINE coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

// Size lanes in a row: 1, 2, 4, ... 32. Parent: the group that was divided.
template <unsigned Size, typename Parent = void>
class thread_block_tile : public thread_group {
 public:
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

  KV_SIMT_INLINE thread_block_tile() : thread_group(false, kv::simt::tile_mask(Size)) {}
  template <typename Other>
  KV_SIMT_INLINE thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}

  static KV_SIMT_INLINE void sync() { __syncwarp(lanes()); }
  static KV_SIMT_INLINE constexpr unsigned num_threads() { return Size; }
  static KV_SIMT_INLINE constexpr unsigned size() { return Size; }
  static KV_SIMT_INLINE unsigned thread_rank() { return kv::simt::rank_in_block() % Size; }
  static KV_SIMT_INLINE unsigned meta_group_rank() {
    return kv::simt::rank_in_block() % parent_size() / Size;
  }
  static KV_SIMT_INLINE unsigned meta_group_size() { return (parent_size() + Size - 1) / Size; }

  template <typename T>
  KV_SIMT_INLINE T shfl(T value, int rank) const {
    return words(value, [&](auto word) KV_SIMT_INLINE_LAMBDA {
      return __shfl_sync(lanes(), word, rank, Size);
    });
  }
  template <typename T>
  KV_SIMT_INLINE T shfl_up(T value, unsigned delta) const {
    return words(value, [&](auto word) KV_SIMT_INLINE_LAMBDA {
      return __shfl_up_sync(lanes(), word, delta, Size);
    });
  }
  template <typename T>
  KV_SIMT_INLINE T shfl_down(T value, unsigned delta) const {
    return words(value, [&](auto word) KV_SIMT_INLINE_LAMBDA {
      return __shfl_down_sync(lanes(), word, delta, Size);
    });
  }
  template <typename T>
  KV_SIMT_INLINE T shfl_xor(T value, unsigned rank_mask) const {
    return words(value, [&](auto word) KV_SIMT_INLINE_LAMBDA {
      return __shfl_xor_sync(lanes(), word, static_cast<int>(rank_mask), Size);
    });
  }
  KV_SIMT_INLINE int any(int predicate) const { return __any_sync(lanes(), predicate); }
  KV_SIMT_INLINE int all(int predicate) const { return __all_sync(lanes(), predicate); }
  KV_SIMT_INLINE unsigned ballot(int predicate) const {
    return kv::simt::packed(__ballot_sync(lanes(), predicate), lanes());
  }
  template <typename T>
  KV_SIMT_INLINE unsigned match_any(T value) const {
    return kv::simt::packed(__match_any_sync(lanes(), value), lanes());
  }
  template <typename T>
  KV_SIMT_INLINE unsigned match_all(T value, int& predicate) const {
    return kv::simt::packed(__match_all_sync(lanes(), value, &predicate), lanes());
  }

 private:
  template <typename T, typename Shuffle>
  static KV_SIMT_INLINE T words(T value, Shuffle shuffle) {
    return kv::simt::shuffle_words(value, shuffle);
  }
  static KV_SIMT_INLINE unsigned lanes() { return kv::simt::tile_mask(Size); }
  static KV_SIMT_INLINE unsigned parent_size() {
    if constexpr (std::is_void_v<Parent>) {
      return thread_block::num_threads();
    } else {
      return Parent::num_threads();
    }
  }
};

template <unsigned Size, typename Parent>
KV_SIMT_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}
// A size that is known only at run time.
KV_SIMT_INLINE thread_group tiled_partition(const thread_group&, unsigned size) {
  return thread_group(false, kv::simt::tile_mask(size));
}

// The lanes of a group with the same label.
template <typename Group, typename Label>
KV_SIMT_INLINE coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}
template <typename Group>
KV_SIMT_INLINE coalesced_group binary_partition(const Group& group, bool predicate) {
  return labeled_partition(group, static_cast<int>(predicate));
}

// One thread of the group calls the function. The others do not wait for it.
template <typename Group, typename Function, typename... Arguments>
KV_SIMT_INLINE void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(std::forward<Arguments>(arguments)...);
}
// All lanes of the group get what the function returns.
template <typename Group, typename Function, typename... Arguments>
KV_SIMT_INLINE auto invoke_one_broadcast(const Group& group,
                                         Function&& function,
                                         Arguments&&... arguments) {
  std::decay_t<std::invoke_result_t<Function, Arguments...>> result{};
  if (group.thread_rank() == 0) result = function(std::forward<Arguments>(arguments)...);
  return group.shfl(result, 0);
}

template <typename Group>
KV_SIMT_INLINE void sync(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#pragma once
// Barriers, votes and fences.

#include "simt/qualifiers.h"

// Why convergent and nomerge: clang would merge two barriers into one, or move one under an if.
#if defined(__clang__)
#define KV_SIMT_CONVERGENT __attribute__((convergent, nomerge))
#else
#define KV_SIMT_CONVERGENT __attribute__((noinline))
#endif

namespace kv::simt {

// The result of a barrier, from the predicates of all threads.
struct Tally {
  int count;  // predicates that were not zero
  int live;   // threads that took part
};
KV_SIMT_CONVERGENT Tally block_barrier(bool predicate);
// The barriers of a block have numbers, 0 to 15. Waits until so many threads have come, whole
// warps; 0 threads: all of the block. Or only arrives.
KV_SIMT_CONVERGENT void wait_at_barrier(unsigned number, unsigned num_threads);
void arrive_at_barrier(unsigned number, unsigned num_threads);
// A barrier of all blocks of a cooperative launch.
KV_SIMT_CONVERGENT void grid_barrier();

enum class WarpOp : int {
  kSync,
  kActive,  // __activemask
  kShuffle,
  kShuffleUp,
  kShuffleDown,
  kShuffleXor,
  kBallot,
  kMatchAny,
  kMatchAll,
  kAdd,
  kMin,
  kMax,
  kMinSigned,
  kMaxSigned,
  kAnd,
  kOr,
  kXor,
  kTile,  // a tile of a matrix is loaded or stored
  // These need all lanes of the warp.
  kTileProduct,
  kMatrixRows,  // rows of a matrix, of which each lane has loaded one, change hands
};
// Waits for all live lanes of `mask`. `argument` is the shuffle's lane, delta or lane mask.
KV_SIMT_CONVERGENT unsigned long long warp_op(
    WarpOp op, unsigned mask, unsigned long long value, int argument, int width);
KV_SIMT_CONVERGENT unsigned active_lanes();

// __threadfence(): publishes what this thread wrote to other blocks.
void fence();

}  // namespace kv::simt

KV_SIMT_INLINE void __syncthreads() {
  kv::simt::block_barrier(false);
}
KV_SIMT_INLINE int __syncthreads_count(int predicate) {
  return kv::simt::block_barrier(predicate != 0).count;
}
KV_SIMT_INLINE int __syncthreads_or(int predicate) {
  return kv::simt::block_barrier(predicate != 0).count != 0;
}
KV_SIMT_INLINE int __syncthreads_and(int predicate) {
  const kv::simt::Tally tally = kv::simt::block_barrier(predicate != 0);
  return tally.count == tally.live;
}

KV_SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu) {
  kv::simt::warp_op(kv::simt::WarpOp::kSync, mask, 0, 0, 32);
}
KV_SIMT_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(
      kv::simt::warp_op(kv::simt::WarpOp::kBallot, mask, predicate != 0, 0, 32));
}
KV_SIMT_INLINE int __any_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
KV_SIMT_INLINE int __all_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate == 0) == 0;
}
KV_SIMT_INLINE unsigned __activemask() {
  return kv::simt::active_lanes();
}

KV_SIMT_INLINE void __threadfence_block() {}
KV_SIMT_INLINE void __threadfence() {
  kv::simt::fence();
}
KV_SIMT_INLINE void __threadfence_system() {
  kv::simt::fence();
}

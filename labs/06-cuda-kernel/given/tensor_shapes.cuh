#pragma once
// What rung 6 keeps in shared memory, and the matrices that a warp multiplies on tensor cores.

#include <cuda_pipeline_primitives.h>
#include <mma.h>

#include "06-cuda-kernel/given/dispatch.h"
#include "06-cuda-kernel/given/vec16.cuh"
#include "06-cuda-kernel/grouped_kernels.h"

namespace kv {

namespace wmma = nvcuda::wmma;

constexpr int kNumStages = 2;  // tiles of a warp: one is on its way while the other is used

template <class Scalar, class Layout>
using LeftMatrix = wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, Scalar, Layout>;
template <class Scalar, class Layout>
using RightMatrix = wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, Scalar, Layout>;
using Sums = wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float>;

// Rows have some numbers more than they need, so that neighboring rows begin in different banks.
template <class Scalar, int kHeadSize>
struct TensorShared {
  static constexpr int kRow = kHeadSize + 8;                 // numbers in a row of query or tile
  static constexpr int kScoreRow = kMaxTensorPartition + 4;  // floats
  static constexpr int kWeightRow = 2 * kScoreRow;           // the same bytes, as Scalars

  __align__(16) Scalar query[kTile * kRow];
  union OfWarp {
    Scalar stages[kNumStages][kTile * kRow];
    float out[kTile * kHeadSize];
  } warps[kNumWarps];
  float scores[kTile * kScoreRow];

  // weigh_scores writes the weights of a row over the first half of its scores.
  __device__ Scalar* weights() { return reinterpret_cast<Scalar*>(scores); }
};

}  // namespace kv

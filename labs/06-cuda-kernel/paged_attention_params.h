#pragma once
// What one step of decode reads and writes.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace kv {

constexpr int kWarpSize = 32;
constexpr int kNumThreads = 128;  // threads in a block, unless a kernel says otherwise
constexpr int kNumWarps = kNumThreads / kWarpSize;
constexpr int kPartitionSize = 512;  // tokens, as in vLLM 0.22

// One query token for each sequence of a batch. All pointers are to memory of the device. The
// shape of a tensor is in its comment; the last dimension is contiguous. vLLM passes these one by
// one. Only the caches may have more than 2^31 - 1 numbers. Scalar: float, __half or __nv_bfloat16;
// sums are float.
// Misuse: launches of attention (6.8, 6.11 and later) refuse other sizes of heads or blocks, and a
// num_heads that is no multiple of num_kv_heads.
template <class Scalar>
struct PagedAttentionParams {
  Scalar* out;                // [num_seqs, num_heads, head_size]
  const Scalar* query;        // [num_seqs, num_heads, head_size]
  const Scalar* key_cache;    // [num_blocks, block_size, num_kv_heads, head_size]
  const Scalar* value_cache;  // [num_blocks, block_size, num_kv_heads, head_size]
  const int* block_tables;    // [num_seqs, max_num_blocks_per_seq]; -1 after the last block
  const int* seq_lens;        // [num_seqs]; 0 is allowed
  int num_seqs;               // at most 65,535: no grid has more blocks in y
  int num_heads;              // a multiple of num_kv_heads, at most 32 times it
  int num_kv_heads;
  int head_size;   // 64 or 128
  int block_size;  // 8, 16 or 32
  int max_num_blocks_per_seq;
  int max_seq_len;  // the longest sequence of this batch
  float scale;      // above 0
};

}  // namespace kv

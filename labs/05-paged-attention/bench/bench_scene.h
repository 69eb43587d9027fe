#pragma once
// One row of the bench: sequences of one length in a cache, scattered block by block, and those who
// attend to them. Everyone reads the same bytes of memory: as tiles, or as two plain tensors.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "05-paged-attention/bench/bench_memory.h"
#include "05-paged-attention/tiled_attention.h"

namespace kv::bench {

constexpr std::size_t kNumHeads = 32, kNumKvHeads = 8, kHeadDim = 128;
constexpr float kScale = 0.088f;

template <class Stored>
struct Scene {
  Scene(std::size_t num_seqs, std::size_t length)
      : seq_lens(num_seqs, length),
        num_blocks(num_seqs * length / kTileTokens),
        memory(num_blocks * kTileTokens * kNumKvHeads * kHeadDim * 2),
        tables(block_ids(num_blocks, true)),
        query(num_seqs * kNumHeads * kHeadDim, 0.1f),
        out(query.size()) {}

  TiledKVCache<Stored> tiled() const {
    return {num_blocks, kNumKvHeads, kHeadDim, memory.numbers()};
  }
  KVCache<Stored> plain() const {
    const std::size_t half = memory.numbers().size() / 2;
    return {{num_blocks, kTileTokens, kNumKvHeads, kHeadDim},
            memory.numbers().first(half),
            memory.numbers().last(half)};
  }

  std::size_t num_seqs() const { return seq_lens.size(); }
  std::span<const BlockId> table(std::size_t seq) const {
    const std::size_t row = tables.size() / num_seqs();
    return std::span(tables).subspan(seq * row, row);
  }
  std::span<const float> query_of(std::size_t seq) const {
    return std::span(query).subspan(seq * kNumHeads * kHeadDim, kNumHeads * kHeadDim);
  }
  std::span<float> out_of(std::size_t seq) {
    return std::span(out).subspan(seq * kNumHeads * kHeadDim, kNumHeads * kHeadDim);
  }

  std::vector<std::size_t> seq_lens;
  std::size_t num_blocks;
  BenchMemory<Stored> memory;
  std::vector<BlockId> tables;  // [num_seqs, num_blocks of each]
  std::vector<float> query;     // [num_seqs, kNumHeads, kHeadDim]
  std::vector<float> out;       // [num_seqs, kNumHeads, kHeadDim]
};

// Reads every byte once, in order, and adds up what it finds.
float read_all(std::span<const float> numbers, std::size_t num_threads);

// What one would write with Eigen: for each query head all scores, then all values, in place.
void eigen_two_passes(Scene<float>& scene, std::size_t num_threads);

// The keys and values of a head copied into a row, then two matrix products for its group.
void gather_then_multiply(Scene<float>& scene, std::size_t num_threads);

}  // namespace kv::bench

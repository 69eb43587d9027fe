#pragma once
// What the bench and gather_tax attend to: a cache, block tables and queries.

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "05-paged-attention/tiled_attention.h"

namespace kv::bench {

// Memory in large pages, filled with random numbers whose values do not matter.
template <class Number>
class HugePageBuffer {
 public:
  explicit HugePageBuffer(std::size_t size) : size_(size) {
    void* memory =
        ::mmap(nullptr, num_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    ::madvise(memory, num_bytes(), MADV_HUGEPAGE);
#endif
    numbers_ = static_cast<Number*>(memory);
    fill();
  }
  HugePageBuffer(const HugePageBuffer&) = delete;
  HugePageBuffer& operator=(const HugePageBuffer&) = delete;
  ~HugePageBuffer() {
    ::munmap(numbers_, num_bytes());
  }

  std::size_t num_bytes() const {
    return size_ * sizeof(Number);
  }
  std::span<Number> numbers() const {
    return {numbers_, size_};
  }

 private:
  // Why a pattern: drawing gigabytes takes longer than measuring them. So the first numbers are
  // drawn, and repeated after that.
  void fill() {
    std::vector<Number> pattern(std::min<std::size_t>(size_, 1 << 18));
    std::mt19937 engine(42);
    std::uniform_real_distribution<float> draw(-1, 1);
    for (Number& number : pattern) number = narrow<Number>(draw(engine));
    for (std::size_t i = 0; i < size_; i += pattern.size()) {
      std::copy_n(pattern.begin(), std::min(pattern.size(), size_ - i), numbers_ + i);
    }
  }

  std::size_t size_;
  Number* numbers_;
};

// The ids 0 to num_blocks - 1, in order or shuffled.
inline std::vector<BlockId> block_ids(std::size_t num_blocks, bool shuffled) {
  std::vector<BlockId> ids(num_blocks);
  std::iota(ids.begin(), ids.end(), 0);
  if (shuffled) std::shuffle(ids.begin(), ids.end(), std::mt19937(42));
  return ids;
}

constexpr std::size_t kNumHeads = 32, kNumKvHeads = 8, kHeadDim = 128;
constexpr float kScale = 0.088f;

// Sequences of one length whose blocks are scattered over the cache. tiled() and plain() are two
// views of the same memory: every competitor reads the same number of bytes.
template <class Stored>
struct Workload {
  Workload(std::size_t num_seqs, std::size_t length)
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
  HugePageBuffer<Stored> memory;
  std::vector<BlockId> tables;  // [num_seqs, num_blocks of each]
  std::vector<float> query;     // [num_seqs, kNumHeads, kHeadDim]
  std::vector<float> out;       // [num_seqs, kNumHeads, kHeadDim]
};

}  // namespace kv::bench

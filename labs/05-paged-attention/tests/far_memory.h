#pragma once
// Arrays of more than 2^32 numbers, of which only the last are in memory: the limit of a test is
// 1 GiB, and a wrong address does not need more.

#include <cstdint>
#include <span>
#include <vector>

#include "05-paged-attention/paged_layout.h"

namespace kv::grader {

template <class Number>
class FarMemory {
 public:
  // `size` numbers, of which the last `num_real` exist.
  FarMemory(std::size_t size, std::size_t num_real) : size_(size), real_(num_real) {}

  std::vector<Number>& real() { return real_; }

  std::span<Number> view() {
    const auto end = reinterpret_cast<std::uintptr_t>(real_.data() + real_.size());
    return {reinterpret_cast<Number*>(end - size_ * sizeof(Number)), size_};
  }

 private:
  std::size_t size_;
  std::vector<Number> real_;
};

// Blocks of 16 slots, one KV head of one dimension; the last two blocks are in memory.
template <class Real>
struct FarCache {
  static constexpr std::size_t kNumBlocks = (std::size_t{1} << 28) + 4, kBlockSize = 16;
  static constexpr BlockId kLastBlock = BlockId{kNumBlocks} - 1;

  KVCache<Real> cache() { return {{kNumBlocks, kBlockSize, 1, 1}, keys.view(), values.view()}; }

  FarMemory<Real> keys{kNumBlocks * kBlockSize, 2 * kBlockSize};
  FarMemory<Real> values{kNumBlocks * kBlockSize, 2 * kBlockSize};
};

}  // namespace kv::grader

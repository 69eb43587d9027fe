#pragma once
// Arrays of more than 2^32 numbers, of which only some neighbors are in memory: the limit of a test
// is 1 GiB, and a wrong address does not need more.

#include <cstdint>
#include <span>
#include <vector>

#include "05-paged-attention/paged_layout.h"

namespace kv::grader {

template <class Number>
class FarMemory {
 public:
  // `size` numbers, of which `num_real` exist: the last ones, or those from first_real on.
  FarMemory(std::size_t size, std::size_t num_real) : FarMemory(size, num_real, size - num_real) {}
  FarMemory(std::size_t size, std::size_t num_real, std::size_t first_real)
      : size_(size), first_real_(first_real), real_(num_real) {}

  std::vector<Number>& real() { return real_; }

  std::span<Number> view() {
    const auto first_real = reinterpret_cast<std::uintptr_t>(real_.data());
    return {reinterpret_cast<Number*>(first_real - first_real_ * sizeof(Number)), size_};
  }

 private:
  std::size_t size_;
  std::size_t first_real_;
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

#pragma once
// Memory for benches: large pages, aligned, filled with numbers of no consequence.

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "05-paged-attention/given/bfloat16.h"
#include "kv/types.h"

namespace kv::bench {

template <class Number>
class BenchMemory {
 public:
  explicit BenchMemory(std::size_t size) : size_(size) {
    void* memory =
        ::mmap(nullptr, num_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    ::madvise(memory, num_bytes(), MADV_HUGEPAGE);
#endif
    numbers_ = static_cast<Number*>(memory);
    fill();
  }
  BenchMemory(const BenchMemory&) = delete;
  BenchMemory& operator=(const BenchMemory&) = delete;
  ~BenchMemory() {
    ::munmap(numbers_, num_bytes());
  }

  std::size_t num_bytes() const {
    return size_ * sizeof(Number);
  }
  std::span<Number> numbers() const {
    return {numbers_, size_};
  }

 private:
  // Drawing gigabytes takes longer than measuring them, so a megabyte is drawn and repeated.
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

inline std::vector<BlockId> block_ids(std::size_t num_blocks, bool shuffled) {
  std::vector<BlockId> ids(num_blocks);
  std::iota(ids.begin(), ids.end(), 0);
  if (shuffled) std::shuffle(ids.begin(), ids.end(), std::mt19937(42));
  return ids;
}

}  // namespace kv::bench

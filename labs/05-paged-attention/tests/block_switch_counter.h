#pragma once
// Counts how often code switches to another block of a KV cache: each block is a page of memory
// that is not readable. A read makes the block readable, and the block that was opened the longest
// ago becomes unreadable.

#include "05-paged-attention/paged_layout.h"
#include "05-paged-attention/tests/page_trap.h"

namespace kv::grader {

// One KV head, 16 tokens a block, and as many dimensions as make a block one page.
class BlockSwitchCounter : PageTrap {
 public:
  explicit BlockSwitchCounter(std::size_t num_blocks)
      : PageTrap(2 * num_blocks), num_blocks_(num_blocks) {}

  KVCache<double> view() const {
    const auto all = numbers<double>();
    const std::size_t head_dim = page_size() / kBlockSize / sizeof(double);
    return {{num_blocks_, kBlockSize, 1, head_dim},
            all.first(all.size() / 2),
            all.last(all.size() / 2)};
  }

  // How often `read` switches to a block that is not open. Key and value of a block open together.
  template <class Read>
  std::size_t count(Read read) {
    num_switches_ = 0;
    open_.fill(kNone);
    protect(0, 2 * num_blocks_, PROT_NONE);
    trap(read);
    return num_switches_;
  }

 private:
  static constexpr std::size_t kBlockSize = 16;
  static constexpr std::size_t kNumOpen = 4;  // room for code that reads a little ahead
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void read_of(std::size_t page) override {
    std::size_t& oldest = open_[num_switches_++ % kNumOpen];
    if (oldest != kNone) protect_block(oldest, PROT_NONE);
    oldest = page % num_blocks_;
    protect_block(oldest, PROT_READ);
  }

  void protect_block(std::size_t block, int access) {
    protect(block, 1, access);
    protect(num_blocks_ + block, 1, access);
  }

  std::size_t num_blocks_;
  std::size_t num_switches_ = 0;
  std::array<std::size_t, kNumOpen> open_ = {};  // blocks, in a ring
};

}  // namespace kv::grader

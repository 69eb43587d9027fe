#pragma once
// Counts how often code switches to another block of a KV cache: each block is a page of memory
// that is not readable. A read makes the block readable, and the block that was opened the longest
// ago becomes unreadable.

#include "05-paged-attention/paged_layout.h"
#include "05-paged-attention/tests/page_trap.h"
#include "05-paged-attention/tiled_attention.h"

namespace kv::grader {

// Each block has one page in each of num_tensors tensors. They open together.
class SwitchCounter : PageTrap {
 public:
  using PageTrap::numbers;
  using PageTrap::page_size;

  SwitchCounter(std::size_t num_blocks, std::size_t num_tensors)
      : PageTrap(num_tensors * num_blocks), num_blocks_(num_blocks), num_tensors_(num_tensors) {}

  // How often `read` switches to a block that is not open.
  template <class Read>
  std::size_t count(Read read) {
    num_switches_ = 0;
    open_.fill(kNone);
    protect(0, num_tensors_ * num_blocks_, PROT_NONE);
    trap(read);
    return num_switches_;
  }

 private:
  static constexpr std::size_t kNumOpen = 4;  // room for code that reads a little ahead
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void read_of(std::size_t page) override {
    std::size_t& oldest = open_[num_switches_++ % kNumOpen];
    if (oldest != kNone) protect_block(oldest, PROT_NONE);
    oldest = page % num_blocks_;
    protect_block(oldest, PROT_READ);
  }

  void protect_block(std::size_t block, int access) {
    for (std::size_t tensor = 0; tensor < num_tensors_; ++tensor) {
      protect(tensor * num_blocks_ + block, 1, access);
    }
  }

  std::size_t num_blocks_;
  std::size_t num_tensors_;
  std::size_t num_switches_ = 0;
  std::array<std::size_t, kNumOpen> open_ = {};  // blocks, in a ring
};

// One KV head, 16 tokens a block, and as many dimensions as make a block one page.
class BlockSwitchCounter : public SwitchCounter {
 public:
  explicit BlockSwitchCounter(std::size_t num_blocks)
      : SwitchCounter(num_blocks, 2),
        layout_{num_blocks, 16, 1, page_size() / 16 / sizeof(double)} {}

  KVCache<double> view() const {
    const auto all = numbers<double>();
    return {layout_, all.first(all.size() / 2), all.last(all.size() / 2)};
  }

 private:
  PagedLayout layout_;
};

// Tiles: a page for each KV head of each block.
template <class Stored>
class TileSwitchCounter : public SwitchCounter {
 public:
  TileSwitchCounter(std::size_t num_blocks, std::size_t num_kv_heads)
      : SwitchCounter(num_blocks * num_kv_heads, 1),
        cache_{num_blocks, num_kv_heads, page_size() / 2 / kTileTokens / sizeof(Stored),
               numbers<Stored>()} {}

  TiledKVCache<Stored> view() const { return cache_; }

 private:
  TiledKVCache<Stored> cache_;
};

}  // namespace kv::grader

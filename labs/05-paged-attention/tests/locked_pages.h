#pragma once
// Numbers in pages of which only some may be read: it shows a read whose result is not used, too.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "05-paged-attention/paged_layout.h"
#include "05-paged-attention/tests/page_trap.h"
#include "05-paged-attention/tests/poison.h"

namespace kv::grader {

class LockedPages : PageTrap {
 public:
  explicit LockedPages(std::size_t num_pages) : PageTrap(num_pages), num_pages_(num_pages) {}

  using PageTrap::numbers;
  using PageTrap::page_size;

  // Each read of a page that is not in `readable` is a failure, which names the page as `what`.
  template <class Read>
  void expect_reads_only(const std::vector<std::size_t>& readable,
                         const std::string& what,
                         Read read) {
    first_wrong_ = num_pages_;
    protect(0, num_pages_, PROT_NONE);
    for (const std::size_t page : readable) protect(page, 1, PROT_READ);
    trap(read);
    if (first_wrong_ == num_pages_) return;
    ADD_FAILURE() << "it reads " << what << " " << first_wrong_ % per_tensor_
                  << ", which holds no token of it\n   " << kI11;
  }

  // Pages repeat after that many: a token is one page of the keys and one of the values.
  void set_pages_per_tensor(std::size_t num_pages) { per_tensor_ = num_pages; }

 private:
  void read_of(std::size_t page) override {
    if (first_wrong_ == num_pages_) first_wrong_ = page;
    protect(page, 1, PROT_READ);
  }

  std::size_t num_pages_;
  std::size_t per_tensor_ = num_pages_;
  std::size_t first_wrong_ = 0;
};

// A cache in which each token's key is one page, and its value another: 8 blocks of 4 slots, one KV
// head, all numbers 0.
template <class Real>
class LockedSlots {
 public:
  LockedSlots() { pages_.set_pages_per_tensor(kNumSlots); }

  std::size_t head_dim() const { return LockedPages::page_size() / sizeof(Real); }

  KVCache<Real> view() const {
    const auto all = pages_.template numbers<Real>();
    return {{kNumSlots / kBlockSize, kBlockSize, 1, head_dim()},
            all.first(all.size() / 2),
            all.last(all.size() / 2)};
  }

  template <class Read>
  void expect_reads_only(const std::vector<SlotId>& slots, Read read) {
    std::vector<std::size_t> readable;
    for (const SlotId slot : slots) {
      readable.push_back(static_cast<std::size_t>(slot));
      readable.push_back(kNumSlots + static_cast<std::size_t>(slot));
    }
    pages_.expect_reads_only(readable, "slot", read);
  }

 private:
  static constexpr std::size_t kNumSlots = 32, kBlockSize = 4;
  LockedPages pages_{2 * kNumSlots};
};

}  // namespace kv::grader

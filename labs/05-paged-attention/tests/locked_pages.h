#pragma once
// Numbers in pages of which only some may be read: it shows a read whose result is not used, too.

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "05-paged-attention/paged_layout.h"
#include "05-paged-attention/tests/page_trap.h"
#include "05-paged-attention/tests/poison.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

class LockedPages : PageTrap {
 public:
  explicit LockedPages(std::size_t num_pages)
      : PageTrap(num_pages), is_wanted_(num_pages), is_read_(num_pages), per_tensor_(num_pages) {}

  using PageTrap::numbers;
  using PageTrap::page_size;

  // Each read of a page that is not in `readable` is a failure, which names the page as `what`.
  template <class Read>
  void expect_reads_only(const std::vector<std::size_t>& readable,
                         const std::string& what,
                         Read read) {
    is_wanted_.assign(is_wanted_.size(), false);
    for (const std::size_t page : readable) is_wanted_[page] = true;
    is_read_.assign(is_read_.size(), false);
    first_wrong_.reset();
    protect(0, is_read_.size(), PROT_NONE);
    trap(read);
    if (!first_wrong_) return;
    log_detail("read", places_read());
    ADD_FAILURE() << "it reads " << what << " " << *first_wrong_ % per_tensor_
                  << ", which holds no token of it\n   " << kI11;
  }

  // Pages repeat after that many: a token is one page of the keys and one of the values.
  void set_pages_per_tensor(std::size_t num_pages) { per_tensor_ = num_pages; }

 private:
  void read_of(std::size_t page) override {
    if (!is_wanted_[page] && !first_wrong_) first_wrong_ = page;
    is_read_[page] = true;
    protect(page, 1, PROT_READ);
  }

  std::set<std::size_t> places_read() const {
    std::set<std::size_t> places;
    for (std::size_t page = 0; page < is_read_.size(); ++page) {
      if (is_read_[page]) places.insert(page % per_tensor_);
    }
    return places;
  }

  // Why char: several threads of the code under test may be interrupted at once.
  std::vector<char> is_wanted_;
  std::vector<char> is_read_;
  std::optional<std::size_t> first_wrong_;
  std::size_t per_tensor_;
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

#pragma once
// Memory whose pages are not readable until code reads them. A read is interrupted; the derived
// class decides what becomes readable, and the read goes on.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "05-paged-attention/paged_layout.h"
#include "05-paged-attention/tests/poison.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

class PageTrap {
 public:
  PageTrap(const PageTrap&) = delete;
  PageTrap& operator=(const PageTrap&) = delete;

  static std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

 protected:
  explicit PageTrap(std::size_t num_pages) : num_pages_(num_pages) {
    void* memory = ::mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<std::byte*>(memory);
  }
  ~PageTrap() { ::munmap(memory_, size()); }

  // Code has read this page, which is not readable. Runs in a signal handler: system calls only.
  virtual void read_of(std::size_t page) = 0;

  template <class Number>
  std::span<Number> numbers() const {
    return {reinterpret_cast<Number*>(memory_), size() / sizeof(Number)};
  }

  void protect(std::size_t page, std::size_t num_pages, int access) {
    ::mprotect(memory_ + page * page_size(), num_pages * page_size(), access);
  }

  // Runs `read` while reads of closed pages are interrupted. Afterwards all pages are open.
  template <class Read>
  void trap(Read read) {
    const Handlers handlers(*this);
    read();
  }

 private:
  class Handlers {
   public:
    explicit Handlers(PageTrap& trap) : trap_(trap) {
      current = &trap;
      struct sigaction interrupted {};
      interrupted.sa_sigaction = [](int, siginfo_t* info, void*) { current->find(info->si_addr); };
      interrupted.sa_flags = SA_SIGINFO;
      ::sigaction(SIGSEGV, &interrupted, &before_[0]);
      ::sigaction(SIGBUS, &interrupted, &before_[1]);
    }
    ~Handlers() {
      ::sigaction(SIGSEGV, &before_[0], nullptr);
      ::sigaction(SIGBUS, &before_[1], nullptr);
      trap_.protect(0, trap_.num_pages_, PROT_READ | PROT_WRITE);
    }

   private:
    PageTrap& trap_;
    std::array<struct sigaction, 2> before_;
  };

  static inline PageTrap* current = nullptr;

  std::size_t size() const { return num_pages_ * page_size(); }

  void find(void* address) {
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(address) - memory_);
    if (offset < size()) return read_of(offset / page_size());
    ::signal(SIGSEGV, SIG_DFL);  // an ordinary crash: it happens again, and kills
    ::signal(SIGBUS, SIG_DFL);
  }

  std::size_t num_pages_;
  std::byte* memory_;
};

// Numbers in pages of which only some may be read: it shows a read whose result is not used, too.
class LockedPages : PageTrap {
 public:
  explicit LockedPages(std::size_t num_pages)
      : PageTrap(num_pages), is_wanted_(num_pages), is_read_(num_pages), per_tensor_(num_pages) {}

  using PageTrap::numbers;
  using PageTrap::page_size;

  // Each read of a page that is not in `readable` is a failure, which names the page as `what` and
  // says why it must not be read.
  template <class Read>
  void expect_reads_only(const std::vector<std::size_t>& readable,
                         const std::string& what,
                         Read read,
                         const std::string& why = ", which holds no token of it\n   " +
                                                  std::string(kI11)) {
    is_wanted_.assign(is_wanted_.size(), false);
    for (const std::size_t page : readable) is_wanted_[page] = true;
    is_read_.assign(is_read_.size(), false);
    first_wrong_.reset();
    protect(0, is_read_.size(), PROT_NONE);
    trap(read);
    if (!first_wrong_) return;
    log_detail("read", places_read());
    ADD_FAILURE() << "it reads " << what << " " << *first_wrong_ % per_tensor_ << why;
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

// The tables of two sequences, in rows of two pages. Three blocks of each are needed, and end with
// a page; the entries after them are in locked pages. All entries are ids of blocks.
class LockedTables {
 public:
  LockedTables() {
    const auto entries = pages_.numbers<BlockId>();
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<BlockId>(i % 6);
  }

  // read(block_tables): a call that needs the first three blocks of both rows.
  template <class Read>
  void expect_reads_needed(Read read) {
    const std::size_t page = LockedPages::page_size() / sizeof(BlockId);
    const std::span<const BlockId> tables = pages_.numbers<BlockId>();
    pages_.expect_reads_only(
        {0, 2}, "page", [&] { read(tables.subspan(page - 3, 4 * page)); },
        " of block_tables, which has no entry that a token needs");
  }

 private:
  LockedPages pages_{5};
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

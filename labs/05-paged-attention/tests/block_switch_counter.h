#pragma once
// Counts how often code switches to another block of a KV cache, with the processor's page tables:
// each block is a page of memory that is not readable. A read is interrupted, the block becomes
// readable, and the block that was opened the longest ago becomes unreadable.

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <new>

#include "05-paged-attention/paged_layout.h"

namespace kv::grader {

// One KV head, 16 tokens a block, and as many dimensions as make a block one page.
class BlockSwitchCounter {
 public:
  explicit BlockSwitchCounter(std::size_t num_blocks) : num_blocks_(num_blocks) {
    void* memory = ::mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<std::byte*>(memory);
  }
  BlockSwitchCounter(const BlockSwitchCounter&) = delete;
  BlockSwitchCounter& operator=(const BlockSwitchCounter&) = delete;
  ~BlockSwitchCounter() { ::munmap(memory_, size()); }

  KVCache<double> view() {
    auto* keys = reinterpret_cast<double*>(memory_);
    const std::size_t num_numbers = size() / 2 / sizeof(double);
    const std::size_t head_dim = page_size() / kBlockSize / sizeof(double);
    return {{num_blocks_, kBlockSize, 1, head_dim},
            {keys, num_numbers},
            {keys + num_numbers, num_numbers}};
  }

  // How often `read` switches to a block that is not open. Key and value of a block open together.
  template <class Read>
  std::size_t count(Read read) {
    reading = this;
    num_switches_ = 0;
    open_.fill(kNone);
    ::mprotect(memory_, size(), PROT_NONE);
    struct sigaction open_block {};
    open_block.sa_sigaction = [](int, siginfo_t* info, void*) {
      reading->switch_to(info->si_addr);
    };
    open_block.sa_flags = SA_SIGINFO;
    std::array<struct sigaction, 2> before;
    ::sigaction(SIGSEGV, &open_block, &before[0]);
    ::sigaction(SIGBUS, &open_block, &before[1]);
    read();
    ::sigaction(SIGSEGV, &before[0], nullptr);
    ::sigaction(SIGBUS, &before[1], nullptr);
    ::mprotect(memory_, size(), PROT_READ | PROT_WRITE);
    return num_switches_;
  }

 private:
  static constexpr std::size_t kBlockSize = 16;
  static constexpr std::size_t kNumOpen = 4;  // room for code that reads a little ahead
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static inline BlockSwitchCounter* reading = nullptr;

  static std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }
  std::size_t size() const { return 2 * num_blocks_ * page_size(); }

  // In a signal handler: nothing but system calls.
  void switch_to(void* address) {
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(address) - memory_);
    if (offset >= size()) {
      ::signal(SIGSEGV, SIG_DFL);  // an ordinary crash: it happens again, and kills
      return;
    }
    std::size_t& oldest = open_[num_switches_++ % kNumOpen];
    if (oldest != kNone) protect(oldest, PROT_NONE);
    oldest = offset / page_size() % num_blocks_;
    protect(oldest, PROT_READ);
  }

  void protect(std::size_t block, int access) {
    ::mprotect(memory_ + block * page_size(), page_size(), access);
    ::mprotect(memory_ + (num_blocks_ + block) * page_size(), page_size(), access);
  }

  std::size_t num_blocks_;
  std::byte* memory_;
  std::size_t num_switches_ = 0;
  std::array<std::size_t, kNumOpen> open_ = {};  // blocks, in a ring
};

}  // namespace kv::grader

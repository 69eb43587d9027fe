#pragma once
// Memory whose pages are not readable until code reads them. A read is interrupted; the derived
// class decides what becomes readable, and the read goes on.

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <new>
#include <span>

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

}  // namespace kv::grader

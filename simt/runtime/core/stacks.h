#pragma once
// The stacks of the 1024 threads that a block has at most, each above a guard page.

#include <cstddef>
#include <cstdint>

namespace kv::simt {

inline constexpr unsigned kMaxThreads = 1024;  // of a block
inline constexpr std::size_t kStackBytes = 64 * 1024;
inline constexpr std::size_t kGuardBytes = 4096;

class Stacks {
 public:
  explicit Stacks(unsigned num_threads = kMaxThreads);

  std::uintptr_t bottom(unsigned thread) const {
    return memory_ + thread * (kGuardBytes + kStackBytes) + kGuardBytes;
  }
  // Why not all at the same distance: their first lines would share one set of the cache.
  std::byte* top(unsigned thread) const {
    return reinterpret_cast<std::byte*>(bottom(thread) + kStackBytes - thread % 32 * 192);
  }

  // The memory goes back to the system; copies of this object have the same memory.
  void release() const;

  bool contains(std::uintptr_t address) const { return address - memory_ < bytes_; }
  bool is_guard(std::uintptr_t address) const {
    return contains(address) && (address - memory_) % (kGuardBytes + kStackBytes) < kGuardBytes;
  }

 private:
  std::size_t bytes_;
  std::uintptr_t memory_;
};

}  // namespace kv::simt

#pragma once
// A fiber: a stack of its own, and the place in the program where it continues. A switch from one
// to another saves the registers that a called function must keep, changes the stack pointer, and
// returns to where the other fiber called from. It costs about as much as a function call.

#include <cstddef>
#include <cstdint>

namespace kv::simt {

using Fiber = void*;  // the stack pointer of a sleeping fiber: its registers are saved there

// Puts the running fiber to sleep and wakes another.
extern "C" void kv_simt_switch(Fiber* sleeping, Fiber waking);

// A fiber that will begin in `entry`, on the stack that ends at `top`. `entry` never returns.
Fiber new_fiber(std::byte* top, void (*entry)());

// The stacks of the 1024 threads that a block has at most, each above a guard page. They are as
// large as the local memory that a thread can have on a GPU; what is not touched takes no memory.
inline constexpr unsigned kMaxThreads = 1024;  // the most that a block can have
inline constexpr std::size_t kStackBytes = 512 * 1024;
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

  // Before threads run on the first `num_threads` stacks. Why not all at once: most blocks have few
  // threads, and a program of tests is started for each test.
  void guard(unsigned num_threads);

  // The memory goes back to the system; copies of this object have the same memory.
  void release() const;

  bool contains(std::uintptr_t address) const { return address - memory_ < bytes_; }
  bool is_guard(std::uintptr_t address) const {
    return contains(address) && (address - memory_) % (kGuardBytes + kStackBytes) < kGuardBytes;
  }

 private:
  std::size_t bytes_;
  std::uintptr_t memory_;
  unsigned num_guarded_ = 0;
};

}  // namespace kv::simt

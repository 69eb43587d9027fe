#include "simt/runtime/core/stacks.h"

#include <sys/mman.h>

#include "simt/runtime/core/map_memory.h"

namespace kv::simt {

Stacks::Stacks(unsigned num_threads)
    : bytes_(num_threads * (kGuardBytes + kStackBytes)),
      memory_(reinterpret_cast<std::uintptr_t>(map_memory(bytes_))) {
  for (unsigned thread = 0; thread < num_threads; ++thread) {
    mprotect(reinterpret_cast<void*>(bottom(thread) - kGuardBytes), kGuardBytes, PROT_NONE);
  }
}

void Stacks::release() const {
  munmap(reinterpret_cast<void*>(memory_), bytes_);
}

}  // namespace kv::simt

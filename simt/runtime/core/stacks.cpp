#include "simt/runtime/core/stacks.h"

#include <sys/mman.h>

#include "simt/runtime/core/map_memory.h"

namespace kv::simt {

Stacks::Stacks()
    : memory_(
          reinterpret_cast<std::uintptr_t>(map_memory(kMaxThreads * (kGuardBytes + kStackBytes)))) {
  for (unsigned thread = 0; thread < kMaxThreads; ++thread) {
    mprotect(reinterpret_cast<void*>(bottom(thread) - kGuardBytes), kGuardBytes, PROT_NONE);
  }
}

}  // namespace kv::simt

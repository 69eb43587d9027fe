#pragma once
// Races that may do no harm, held until that is known:
//   - a plain write over the plain write of another thread: the bytes decide it, after the store;
//   - a plain read of what another thread updates with atomic operations: it does no harm where an
//     atomicCAS follows, which fails if the value was old. Not every thread has to come to it: a
//     loop that raises a maximum ends without it.
// A harmless one becomes a note, see simt/docs/simt.md.

#include "simt/runtime/core/machine.h"

namespace kv::simt {

// A write of these bytes, which has not happened yet.
void hold_write(const void* address, unsigned bytes, Finding race);
void hold_read(Finding race);

// The last store has happened. Called before the next access, and before another thread runs.
extern bool has_held_writes;
void settle_held_writes();
inline void settle_writes() {
  if (has_held_writes) settle_held_writes();
}

// The current thread makes an atomicCAS: its last plain read there begins a loop.
void remember_cas(const void* address);
// Whether a thread made an atomicCAS after its read at this place.
bool begins_cas_loop(Site read);

// This thread ends, or is abandoned.
void settle_read(const Thread& thread);

}  // namespace kv::simt

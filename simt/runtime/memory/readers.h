#pragma once
// Who has read a cell of shared memory, for the writes that come later.

#include <optional>

#include "simt/runtime/memory/access.h"

namespace kv::simt {

// The threads that have read a cell in the current epoch: lanes of one warp, and one thread of
// another warp. A write needs no more to find a thread that may still be reading. To name the place
// where that thread read, the lanes of one place are kept, and one lane of another place.
struct Readers {
  std::uint32_t block;
  std::uint16_t epoch, warp;
  std::uint32_t lanes, lanes_at_site;
  std::uint16_t clock;  // the oldest
  std::uint16_t site;   // the first
  Stamp elsewhere;      // a lane that read at another place; block 0: none
  Stamp other;          // block 0: none
};

void add_reader(Readers& readers, const MemoryAccess& access);

// A thread that may still be reading.
std::optional<Stamp> unordered_reader(const Readers& readers);

}  // namespace kv::simt

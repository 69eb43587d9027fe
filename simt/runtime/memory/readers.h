#pragma once
// Who has read a cell of shared memory, for the writes that come later.

#include <optional>

#include "simt/runtime/memory/access.h"

namespace kv::simt {

// The threads that have read a cell in the current epoch: lanes of one warp, and one thread of
// another warp. A write needs no more to find a thread that may still be reading.
struct Readers {
  std::uint32_t block;
  std::uint16_t epoch, warp;
  std::uint32_t lanes;
  std::uint16_t clock;  // the oldest
  std::uint16_t site;   // the newest
  Stamp other;          // block 0: none
};

void add_reader(Readers& readers, const MemoryAccess& access);

// A thread that may still be reading.
std::optional<Stamp> unordered_reader(const Readers& readers);

}  // namespace kv::simt

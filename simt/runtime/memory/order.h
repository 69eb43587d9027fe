#pragma once
// Who is ordered before whom? Two accesses to the same bytes race unless one happens before the
// other. Order comes from
//   - the program, within a thread;
//   - __syncthreads, within a block: its number of barriers passed is the epoch;
//   - __syncwarp, between the lanes it names. Each lane has a clock, and knows a clock of each
//     other lane: all that the other did before that is over. Shuffles and votes order nothing;
//   - between blocks, and beside all that: an atomic operation after a __threadfence releases what
//     came before; whoever then makes an atomic operation on the same address acquires it.

#include <cstdint>

#include "simt/runtime/core/machine.h"

namespace kv::simt {

// Who touched two bytes, and when.
struct Stamp {
  std::uint32_t block;  // 0: there was none
  std::uint16_t thread : 10;
  std::uint16_t bytes : 2;  // which of the two it touches
  std::uint16_t is_atomic : 1;
  std::uint16_t epoch;
  std::uint16_t clock;
  std::uint16_t site;  // see sites.h
};

inline std::uint16_t clock_of(const Thread& thread) {
  return warp_of(thread).clocks[thread.lane][thread.lane];
}

// Of the current thread, now.
inline Stamp stamp_now(std::uint16_t site, unsigned bytes, bool is_atomic) {
  const Thread& me = self();
  return {machine.block_number,
          static_cast<std::uint16_t>(me.number & 0x3ff),
          static_cast<std::uint16_t>(bytes & 3),
          is_atomic,
          machine.epoch,
          clock_of(me),
          site};
}

// Whether the current thread may rely on it that this access is over.
bool is_over_slowly(const Stamp& earlier);
inline bool is_over(const Stamp& earlier) {
  if (earlier.block == machine.block_number &&
      (earlier.thread == self().number || earlier.epoch != machine.epoch)) {
    return true;
  }
  return is_over_slowly(earlier);
}

// __syncwarp.
void order_lanes(Warp& warp, std::uint32_t lanes);

// Releases and acquires.
void order_by_atomic(std::uintptr_t address);

// A launch begins.
void forget_order();

}  // namespace kv::simt

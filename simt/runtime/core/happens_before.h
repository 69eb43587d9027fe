#pragma once
// Which access happens before which? Two accesses to the same bytes race unless one of them happens
// before the other. Order comes from
//   - the program, within a thread;
//   - __syncthreads, within a block: the epoch is the number of barriers that the block has passed;
//   - __syncwarp, between the lanes that it names. Each lane has a clock of its own, and for each
//     other lane the clock up to which that lane's accesses happen before its own. Shuffles and
//     votes order nothing;
//   - fences with atomic operations, between any two threads: an atomic operation after a
//     __threadfence releases what came before the fence; a thread that makes an atomic operation on
//     the same address later acquires it. In device memory a volatile access counts as an atomic
//     one that is relaxed: a write after a fence releases, and a read acquires. What a thread has
//     acquired it releases, too.

#include <cstdint>

#include "simt/runtime/core/machine.h"

namespace kv::simt {

// The thread that accessed a cell of two bytes, and when.
struct Stamp {
  std::uint32_t block;  // 0: there was no access
  std::uint16_t thread : 10;
  std::uint16_t bytes : 2;  // which of the two: a bit for each
  std::uint16_t is_atomic : 1;
  std::uint16_t is_volatile : 1;
  std::uint16_t epoch;
  std::uint16_t clock;
  std::uint16_t site;  // see memory/access.h
};

// The current thread's.
inline std::uint16_t clock_now() {
  return *machine.clock;
}

// The current thread, now.
inline Stamp stamp_now(std::uint16_t site, unsigned bytes, bool is_atomic, bool is_volatile) {
  const Thread& me = self();
  return {machine.block_number,
          static_cast<std::uint16_t>(me.number & 0x3ff),
          static_cast<std::uint16_t>(bytes & 3),
          is_atomic,
          is_volatile,
          machine.epoch,
          clock_now(),
          site};
}

// Whether this access of the same block comes before by the block's barriers, or in the same
// thread.
inline bool is_ordered_by_barriers(const Stamp& earlier) {
  return earlier.thread == self().number || earlier.epoch != machine.epoch;
}

// Whether a __syncwarp, or fences with atomic operations, order this access before what the current
// thread does now.
bool is_synchronized(const Stamp& earlier);

// Whether this access happens before what the current thread does now.
inline bool happens_before(const Stamp& earlier) {
  if (earlier.block == machine.block_number && is_ordered_by_barriers(earlier)) return true;
  return is_synchronized(earlier);
}

// The effect of a __syncwarp.
void order_lanes(Warp& warp, std::uint32_t lanes);

// The effect of an atomic operation: it acquires if it reads, and releases if it writes.
void order_by_atomic(std::uintptr_t address, bool reads, bool writes);
// The same, without a fence, by what is no memory: a thread that acquires at this key comes after
// those that have released there.
void release_at(std::uintptr_t key);
void acquire_at(std::uintptr_t key);

// The effect of a volatile access of device memory.
void order_by_volatile(std::uintptr_t address, bool writes, Site site);

// Where the thread of an earlier access set a volatile flag with no fence in between; nullptr:
// nowhere.
Site flag_without_fence(const Stamp& earlier);

// A launch begins.
void forget_order();

}  // namespace kv::simt

#include "simt/runtime/core/happens_before.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "simt/runtime/core/warp_calls.h"

namespace kv::simt {
namespace {

// An atomic operation of a thread on some address. `when` numbers all of them.
struct AtomicOperation {
  std::uint32_t block;
  unsigned thread;
  std::uint16_t epoch;
  std::uint64_t when;

  bool is_of(const Thread& other) const {
    return block == machine.block_number && thread == other.number;
  }
};

std::uint64_t num_operations = 0;
std::unordered_map<std::uintptr_t, std::vector<AtomicOperation>> releases;
std::unordered_map<std::uintptr_t, std::vector<AtomicOperation>> acquires;  // of the current block
std::uint32_t acquiring_block = 0;

struct Flag {
  AtomicOperation set;
  Site site;
};
std::map<std::uintptr_t, Flag> unfenced;  // the last write of each flag

// Keeps the newest of each thread.
void add(std::vector<AtomicOperation>& operations, const AtomicOperation& operation) {
  const auto same =
      std::find_if(operations.begin(), operations.end(), [&](const AtomicOperation& other) {
        return other.block == operation.block && other.thread == operation.thread;
      });
  if (same != operations.end()) *same = operation;
  if (same == operations.end()) operations.push_back(operation);
}

// Right also where the numbers wrap from 65535 to 0.
bool is_before(std::uint16_t a, std::uint16_t b) {
  return static_cast<std::int16_t>(a - b) < 0;
}

bool publishes(const AtomicOperation& release, const Stamp& earlier) {
  if (release.block != earlier.block) return false;
  return release.thread == earlier.thread || is_before(earlier.epoch, release.epoch);
}

bool reaches_me(const AtomicOperation& acquire) {
  return acquire.is_of(self()) || is_before(acquire.epoch, machine.epoch);
}

bool is_released_to_me(const Stamp& earlier) {
  if (acquiring_block != machine.block_number) return false;
  for (const auto& [address, mine] : acquires) {
    for (const AtomicOperation& acquire : mine) {
      if (!reaches_me(acquire)) continue;
      const std::vector<AtomicOperation>& theirs = releases[address];
      const bool found =
          std::any_of(theirs.begin(), theirs.end(), [&](const AtomicOperation& release) {
            return release.when < acquire.when && publishes(release, earlier);
          });
      if (found) return true;
    }
  }
  return false;
}

}  // namespace

bool is_synchronized(const Stamp& earlier) {
  const Thread& me = self();
  const bool same_warp = earlier.block == machine.block_number && earlier.thread / 32 == me.warp;
  if (same_warp && is_before(earlier.clock, warp_of(me).clocks[me.lane][earlier.thread % 32])) {
    return true;
  }
  return is_released_to_me(earlier);
}

void order_lanes(Warp& warp, std::uint32_t lanes) {
  std::array<std::uint16_t, 32> known = {};
  for_each_lane(lanes, [&](unsigned lane) {
    const auto& clocks = warp.clocks[lane];
    for (unsigned i = 0; i < 32; ++i)
      known[i] = is_before(known[i], clocks[i]) ? clocks[i] : known[i];
  });
  for (unsigned i = 0; i < 32; ++i)
    known[i] = static_cast<std::uint16_t>(known[i] + (lanes >> i & 1));
  for_each_lane(lanes, [&](unsigned lane) { warp.clocks[lane] = known; });
}

void fence() {
  self().has_fenced = true;
}

namespace {

AtomicOperation operation_now() {
  return {machine.block_number, self().number, machine.epoch, ++num_operations};
}

void acquire(std::uintptr_t address) {
  if (acquiring_block != machine.block_number) acquires.clear();
  acquiring_block = machine.block_number;
  if (releases.contains(address)) add(acquires[address], operation_now());
}

void release(std::uintptr_t address) {
  if (self().has_fenced) add(releases[address], operation_now());
}

}  // namespace

void order_by_atomic(std::uintptr_t address) {
  acquire(address);
  release(address);
}

void release_at(std::uintptr_t key) {
  add(releases[key], operation_now());
}

void acquire_at(std::uintptr_t key) {
  acquire(key);
}

void order_by_volatile(std::uintptr_t address, bool writes, Site site) {
  if (!writes) return acquire(address);
  release(address);
  if (!self().has_fenced) unfenced[address] = {operation_now(), site};
}

Site flag_without_fence(const Stamp& earlier) {
  for (const auto& [address, flag] : unfenced) {
    if (publishes(flag.set, earlier)) return flag.site;
  }
  return nullptr;
}

void forget_order() {
  unfenced.clear();
  releases.clear();
  acquires.clear();
  acquiring_block = 0;
}

}  // namespace kv::simt

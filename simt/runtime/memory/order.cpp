#include "simt/runtime/memory/order.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "simt/runtime/core/lanes.h"

namespace kv::simt {
namespace {

// A thread's fenced atomic operation on some address. `when` counts such operations.
struct Crossing {
  std::uint32_t block;
  unsigned thread;
  std::uint16_t epoch;
  std::uint64_t when;

  bool is_of(const Thread& other) const {
    return block == machine.block_number && thread == other.number;
  }
};

std::uint64_t num_crossings = 0;
std::unordered_map<std::uintptr_t, std::vector<Crossing>> releases;
std::unordered_map<std::uintptr_t, std::vector<Crossing>> acquires;  // of the current block
std::uint32_t acquiring_block = 0;

// Keeps the newest of each thread.
void note(std::vector<Crossing>& crossings, const Crossing& crossing) {
  const auto same = std::find_if(crossings.begin(), crossings.end(), [&](const Crossing& other) {
    return other.block == crossing.block && other.thread == crossing.thread;
  });
  if (same != crossings.end()) *same = crossing;
  if (same == crossings.end()) crossings.push_back(crossing);
}

// Serial numbers: right across the wrap from 65535 to 0.
bool is_before(std::uint16_t a, std::uint16_t b) {
  return static_cast<std::int16_t>(a - b) < 0;
}

bool publishes(const Crossing& release, const Stamp& earlier) {
  if (release.block != earlier.block) return false;
  return release.thread == earlier.thread || is_before(earlier.epoch, release.epoch);
}

bool reaches_me(const Crossing& acquire) {
  return acquire.is_of(self()) || is_before(acquire.epoch, machine.epoch);
}

bool was_handed_over(const Stamp& earlier) {
  if (acquiring_block != machine.block_number) return false;
  for (const auto& [address, mine] : acquires) {
    for (const Crossing& acquire : mine) {
      if (!reaches_me(acquire)) continue;
      const std::vector<Crossing>& theirs = releases[address];
      const bool found = std::any_of(theirs.begin(), theirs.end(), [&](const Crossing& release) {
        return release.when < acquire.when && publishes(release, earlier);
      });
      if (found) return true;
    }
  }
  return false;
}

}  // namespace

bool is_over_slowly(const Stamp& earlier) {
  const Thread& me = self();
  const bool same_warp = earlier.block == machine.block_number && earlier.thread / 32 == me.warp;
  if (same_warp && is_before(earlier.clock, warp_of(me).clocks[me.lane][earlier.thread % 32])) {
    return true;
  }
  return was_handed_over(earlier);
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

void order_by_atomic(std::uintptr_t address) {
  const Thread& me = self();
  if (acquiring_block != machine.block_number) acquires.clear();
  acquiring_block = machine.block_number;
  const Crossing now{machine.block_number, me.number, machine.epoch, ++num_crossings};
  if (releases.contains(address)) note(acquires[address], now);
  if (me.has_fenced) note(releases[address], now);
}

void forget_order() {
  releases.clear();
  acquires.clear();
  acquiring_block = 0;
}

}  // namespace kv::simt

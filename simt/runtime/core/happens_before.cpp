#include "simt/runtime/core/happens_before.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simt/runtime/core/warp_calls.h"

namespace kv::simt {
namespace {

// After so many fences all accesses of a thread count as fenced: a clock has 16 bits.
constexpr unsigned kMaxFences = 16'000;

using Clocks = std::array<std::uint16_t, 32>;  // one for each lane of a warp

// An atomic operation of a thread on some address. `when` numbers all of them.
struct AtomicOperation {
  std::uint32_t block;
  unsigned thread;
  std::uint16_t epoch;
  Clocks clocks;  // accesses of its warp with a smaller clock happen before it
  std::uint64_t when;

  unsigned lane() const { return thread % 32; }
  bool is_in_warp_of(std::uint32_t other_block, unsigned other_thread) const {
    return block == other_block && thread / 32 == other_thread / 32;
  }
};

using OfThreads = std::vector<AtomicOperation>;  // each thread's newest, in one block

std::uint64_t num_operations = 0;
std::unordered_map<std::uintptr_t, std::map<std::uint32_t, OfThreads>> releases;
std::unordered_map<std::uint32_t, std::map<std::uintptr_t, OfThreads>> acquires;

struct Flag {
  AtomicOperation set;
  std::optional<AtomicOperation> release;  // nullopt: there was no fence at all
  Site site;
};
std::map<std::uintptr_t, Flag> volatile_flags;  // the last write of each

void add(OfThreads& operations, const AtomicOperation& operation) {
  const auto same =
      std::find_if(operations.begin(), operations.end(),
                   [&](const AtomicOperation& other) { return other.thread == operation.thread; });
  if (same != operations.end()) *same = operation;
  if (same == operations.end()) operations.push_back(operation);
}

// Right also where the numbers wrap from 65535 to 0.
bool is_before(std::uint16_t a, std::uint16_t b) {
  return static_cast<std::int16_t>(a - b) < 0;
}

// After all that the current thread did.
AtomicOperation operation_now() {
  const Thread& me = self();
  AtomicOperation now{machine.block_number, me.number, machine.epoch, warp_of(me).clocks[me.lane],
                      ++num_operations};
  ++now.clocks[me.lane];
  return now;
}

// After what it did before its last fence.
std::optional<AtomicOperation> release_now() {
  if (self().num_fences == 0) return std::nullopt;
  AtomicOperation now = operation_now();
  now.clocks[self().lane] = self().fence_clock;
  return now;
}

// What other threads did before a barrier is taken for fenced: each of them may have had a fence.
bool publishes(const AtomicOperation& release, const Stamp& earlier) {
  const bool is_known = release.is_in_warp_of(earlier.block, earlier.thread) &&
                        is_before(earlier.clock, release.clocks[earlier.thread % 32]);
  if (is_known || release.thread == earlier.thread) return is_known;
  return release.block == earlier.block && is_before(earlier.epoch, release.epoch);
}

// Both are of one block.
bool comes_before(const AtomicOperation& acquire, const AtomicOperation& later) {
  if (acquire.when > later.when) return false;
  const unsigned lane = acquire.lane();
  return acquire.thread == later.thread || is_before(acquire.epoch, later.epoch) ||
         (acquire.is_in_warp_of(later.block, later.thread) &&
          !is_before(later.clocks[lane], acquire.clocks[lane]));
}

// From an operation back to the releases that it acquired, and from these to those before them.
class WayBack {
 public:
  explicit WayBack(const Stamp& access) : access_(access) {}

  // Does one of them publish the access? Why a list and no recursion: a chain of flags is as long
  // as the grid, and the stack of a simulated thread is not.
  bool leads_from(const AtomicOperation& now) {
    left_ = {now};
    while (!left_.empty()) {
      const AtomicOperation later = left_.back();
      left_.pop_back();
      for (const auto& [address, operations] : acquires[later.block]) {
        for (const AtomicOperation& acquire : operations)
          if (comes_before(acquire, later) && is_published_at(address, acquire.when)) return true;
      }
    }
    return false;
  }

 private:
  // By what was released there before `end`. What was there before an earlier end is known.
  bool is_published_at(std::uintptr_t address, std::uint64_t end) {
    std::uint64_t& begin = ends_[address];
    if (end <= begin) return false;
    auto& of_blocks = releases[address];
    const OfThreads& of_access = of_blocks[access_.block];
    if (std::any_of(of_access.begin(), of_access.end(), [&](const AtomicOperation& release) {
          return release.when < end && publishes(release, access_);
        }))
      return true;
    for (const auto& [block, operations] : of_blocks) {
      for (const AtomicOperation& release : operations)
        if (release.when >= begin && release.when < end) left_.push_back(release);
    }
    begin = end;
    return false;
  }

  const Stamp& access_;
  OfThreads left_ = {};
  std::unordered_map<std::uintptr_t, std::uint64_t> ends_ = {};  // the latest `end` at each address
};

}  // namespace

bool is_synchronized(const Stamp& earlier) {
  const Thread& me = self();
  const bool same_warp = earlier.block == machine.block_number && earlier.thread / 32 == me.warp;
  if (same_warp && is_before(earlier.clock, warp_of(me).clocks[me.lane][earlier.thread % 32])) {
    return true;
  }
  return !releases.empty() && WayBack(earlier).leads_from(operation_now());
}

void order_lanes(Warp& warp, std::uint32_t lanes) {
  Clocks known = {};
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
  Thread& me = self();
  std::uint16_t& clock = warp_of(me).clocks[me.lane][me.lane];
  if (me.num_fences == kMaxFences) {
    me.fence_clock = static_cast<std::uint16_t>(clock + 1);
    return;
  }
  ++me.num_fences;
  me.fence_clock = ++clock;
}

namespace {

void acquire(std::uintptr_t address) {
  if (releases.contains(address)) add(acquires[machine.block_number][address], operation_now());
}

// Returns what it releases: nullopt before the first fence.
std::optional<AtomicOperation> release(std::uintptr_t address) {
  const std::optional<AtomicOperation> now = release_now();
  if (now) add(releases[address][now->block], *now);
  return now;
}

}  // namespace

void order_by_atomic(std::uintptr_t address, bool reads, bool writes) {
  if (reads) acquire(address);
  if (writes) release(address);
}

void release_at(std::uintptr_t key) {
  add(releases[key][machine.block_number], operation_now());
}

void acquire_at(std::uintptr_t key) {
  acquire(key);
}

void order_by_volatile(std::uintptr_t address, bool writes, Site site) {
  if (!writes) return acquire(address);
  const std::optional<AtomicOperation> released = release(address);
  volatile_flags[address] = {operation_now(), released, site};
}

Site flag_without_fence(const Stamp& earlier) {
  for (const auto& [address, flag] : volatile_flags) {
    const bool is_fenced = flag.release && publishes(*flag.release, earlier);
    if (publishes(flag.set, earlier) && !is_fenced) return flag.site;
  }
  return nullptr;
}

void forget_order() {
  volatile_flags.clear();
  releases.clear();
  acquires.clear();
}

}  // namespace kv::simt

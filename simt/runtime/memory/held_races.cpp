#include "simt/runtime/memory/held_races.h"

#include <array>
#include <cstring>
#include <set>
#include <vector>

namespace kv::simt {
namespace {

struct HeldWrite {
  const void* address;
  unsigned bytes;
  std::array<std::byte, 16> before;
  Finding race;
};

struct HeldRead {
  bool is_held;
  Finding race;
};

std::vector<HeldWrite>& held_writes() {
  static std::vector<HeldWrite> writes;
  return writes;
}

std::set<Site>& cas_reads() {
  static std::set<Site> sites;
  return sites;
}

HeldRead& held_read(const Thread& thread) {
  static std::array<HeldRead, kMaxThreads> reads;
  return reads[thread.number];
}

void hold_write(const MemoryAccess& access, Finding race) {
  HeldWrite held{reinterpret_cast<const void*>(access.address), access.bytes, {}, std::move(race)};
  std::memcpy(held.before.data(), held.address, held.bytes);
  held_writes().push_back(std::move(held));
}

void hold_read(Finding race) {
  settle_read(self());
  held_read(self()) = {true, std::move(race)};
}

}  // namespace

void add_or_hold(const MemoryAccess& access, const Stamp& earlier, Finding race) {
  if (access.kind == Access::kWrite && !earlier.is_atomic) {
    hold_write(access, std::move(race));
  } else if (access.kind == Access::kRead && earlier.is_atomic) {
    hold_read(std::move(race));
  } else {
    findings.add(std::move(race));
  }
}

void settle_writes() {
  if (held_writes().empty()) return;
  const PauseChecks pause;
  for (HeldWrite& held : held_writes()) {
    const bool is_same = std::memcmp(held.before.data(), held.address, held.bytes) == 0;
    if (is_same) held.race.kind = Kind::kSameValue;
    findings.add(std::move(held.race));
  }
  held_writes().clear();
}

void remember_cas(const void* address) {
  const Thread& me = self();
  if (me.last_read == address) cas_reads().insert(me.last_read_site);
}

bool begins_cas_loop(Site read) {
  return cas_reads().contains(read);
}

void settle_read(const Thread& thread) {
  HeldRead& held = held_read(thread);
  if (!held.is_held) return;
  const PauseChecks pause;
  if (begins_cas_loop(held.race.site)) held.race.kind = Kind::kReadBeforeCas;
  findings.add(std::move(held.race), &thread);
  held.is_held = false;
}

}  // namespace kv::simt

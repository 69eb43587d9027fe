#include "simt/runtime/core/held_races.h"

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

}  // namespace

bool has_held_writes = false;

void hold_write(const void* address, unsigned bytes, Finding race) {
  HeldWrite held{address, bytes, {}, std::move(race)};
  std::memcpy(held.before.data(), held.address, held.bytes);
  held_writes().push_back(std::move(held));
  has_held_writes = true;
}

void hold_read(Finding race) {
  settle_read(self());
  held_read(self()) = {true, std::move(race)};
}

void settle_held_writes() {
  const PauseChecks pause;
  for (HeldWrite& held : held_writes()) {
    const bool is_same = std::memcmp(held.before.data(), held.address, held.bytes) == 0;
    if (is_same) held.race.kind = Kind::kSameValue;
    findings.add(std::move(held.race));
  }
  held_writes().clear();
  has_held_writes = false;
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

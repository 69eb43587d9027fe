#include "simt/runtime/memory/shared_races.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace kv::simt {
namespace {

bool are_current(const Readers& readers) {
  return readers.block == machine.block_number && readers.epoch == machine.epoch;
}

// Somebody who may still be reading; nobody: none.
std::optional<Stamp> reader_under_way(const Readers& readers) {
  if (!are_current(readers)) return {};
  if (readers.other.block != 0 && !is_over(readers.other)) return readers.other;
  for (std::uint32_t left = readers.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    Stamp reader{readers.block, 0, 3, false, readers.epoch, readers.clock, readers.site};
    reader.thread = (readers.warp * 32u + lane) & 0x3ff;
    if (!is_over(reader)) return reader;
  }
  return {};
}

void add_reader(Readers& readers, const MemoryAccess& access) {
  const Thread& me = self();
  const std::uint16_t clock = clock_of(me);
  const bool is_fresh = are_current(readers) && readers.warp == me.warp && readers.clock == clock;
  if (!is_fresh) {
    // After a __syncwarp the readers before it need not be kept.
    const bool is_newer = readers.warp == me.warp && readers.clock != clock;
    if (!are_current(readers) || (is_newer && !reader_under_way(readers))) {
      const auto warp = static_cast<std::uint16_t>(me.warp);
      readers = {machine.block_number, machine.epoch, warp, 0, clock, 0, {}};
    }
    if (readers.warp != me.warp) {
      readers.other = stamp_now(access.site_number, access.cell_bytes(), false);
      return;
    }
    readers.clock = std::min(readers.clock, clock);
  }
  readers.lanes |= 1u << me.lane;
  readers.site = access.site_number;
}

void report_uninitialized(const MemoryAccess& access) {
  const Unwatched unwatched;
  findings.add({.kind = Kind::kUninitialized,
                .site = access.site,
                .what = who_does(access) + " at " + shared_memory.name_at(access.address) +
                        ", which no thread of this block has written"});
}

void report_race(const MemoryAccess& access, const Stamp& other, const char* what) {
  const Unwatched unwatched;
  findings.add({.kind = Kind::kSharedRace,
                .site = access.site,
                .what = who_does(access) + " at " + shared_memory.name_at(access.address),
                .notes = {note_of(other, what)}});
}

// Whether there was a race.
bool check_cell(const MemoryAccess& access, SharedCell& cell) {
  const Stamp& write = cell.write;
  const bool is_atomic = access.kind == Access::kAtomic;
  const bool overlaps = write.block == machine.block_number && (write.bytes & access.cell_bytes());
  if (overlaps && !(is_atomic && write.is_atomic) && !is_over(write)) {
    report_race(access, write, write.is_atomic ? "updates them here" : "writes them here");
    return true;
  }
  // Of readers it is not kept which of the two bytes they read.
  if (!access.writes() || access.bytes < kCellBytes) return false;
  if (const std::optional<Stamp> reader = reader_under_way(cell.readers)) {
    report_race(access, *reader, "reads them here");
    return true;
  }
  return false;
}

}  // namespace

void check_shared_race(const MemoryAccess& access) {
  SharedCell* const first = &shared_memory.cell(access.address);
  SharedCell* const last = &shared_memory.cell(access.address + access.bytes - 1);
  for (SharedCell* cell = first; cell <= last; ++cell) {
    if (check_cell(access, *cell)) break;
  }
  const bool is_atomic = access.kind == Access::kAtomic;
  const bool is_initialized = std::all_of(first, last + 1, [](const SharedCell& cell) {
    return cell.write.block == machine.block_number;
  });
  if (access.kind != Access::kWrite && !is_initialized) report_uninitialized(access);
  if (!access.writes()) {
    for (SharedCell* cell = first; cell <= last; ++cell) add_reader(cell->readers, access);
    return;
  }
  const Stamp now = stamp_now(access.site_number, access.cell_bytes(), is_atomic);
  for (SharedCell* cell = first; cell <= last; ++cell) cell->write = now;
}

}  // namespace kv::simt

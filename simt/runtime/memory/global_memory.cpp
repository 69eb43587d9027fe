#include "simt/runtime/memory/global_memory.h"

#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/map_memory.h"
#include "simt/runtime/profile/profile.h"

namespace kv::simt {
namespace {

// The last write of this launch to each two bytes. Reads are not kept: a write that comes too early
// for a reader is found when the schedule is reversed, for then the reader comes too late.
Stamp* last_writes() {
  static Stamp* const cells =
      reinterpret_cast<Stamp*>(map_memory(arena.bytes() / kCellBytes * sizeof(Stamp)));
  return cells;
}

std::string name_of(const Allocation& allocation) {
  const auto number = &allocation - arena.allocations().data() + 1;
  return "allocation " + std::to_string(number) + " of " + std::to_string(allocation.bytes) +
         " bytes";
}

std::string distance(const Allocation& allocation, std::size_t offset) {
  const std::size_t end = allocation.offset + allocation.bytes;
  if (offset < end) return "at byte " + std::to_string(offset - allocation.offset) + " of ";
  if (offset == end) return "right behind the end of ";
  return std::to_string(offset - end) + " bytes behind the end of ";
}

[[noreturn]] void report_unowned(const MemoryAccess& access, std::size_t offset) {
  const Unwatched unwatched;
  Finding finding{.kind = Kind::kOutOfBounds,
                  .site = access.site,
                  .what = who_does(access) + " of device memory that was never allocated"};
  if (const Allocation* const nearest = arena.nearest(offset)) {
    const bool is_freed = nearest->freed_at != nullptr && nearest->contains(offset, access.bytes);
    finding.what = who_does(access) + " " + distance(*nearest, offset) + name_of(*nearest);
    finding.notes = {{"it was allocated here", nearest->allocated_at}};
    if (is_freed) finding.kind = Kind::kUseAfterFree;
    if (is_freed) finding.notes.push_back({"and freed here", nearest->freed_at});
  }
  fail(cudaErrorIllegalAddress, std::move(finding));
}

[[noreturn]] void report_misaligned(const MemoryAccess& access, const Allocation& allocation) {
  const Unwatched unwatched;
  fail(cudaErrorMisalignedAddress,
       {.kind = Kind::kMisaligned,
        .site = access.site,
        .what = who_does(access) + " " + distance(allocation, arena.offset(access.address)) +
                name_of(allocation) + ", which is no multiple of " + std::to_string(access.bytes)});
}

void report_uninitialized(const MemoryAccess& access, const Allocation& allocation) {
  const Unwatched unwatched;
  findings.add({.kind = Kind::kUninitialized,
                .site = access.site,
                .what = who_does(access) + " " +
                        distance(allocation, arena.offset(access.address)) + name_of(allocation) +
                        ", which nobody has written",
                .notes = {{"it was allocated here", allocation.allocated_at}}});
}

void report_race(const MemoryAccess& access, const Allocation& allocation, const Stamp& earlier) {
  const Unwatched unwatched;
  findings.add(
      {.kind = Kind::kGlobalRace,
       .site = access.site,
       .what = who_does(access) + " " + distance(allocation, arena.offset(access.address)) +
               name_of(allocation),
       .notes = {note_of(earlier, earlier.is_atomic ? "updates them here" : "writes them here")}});
}

void check_race(const MemoryAccess& access, const Allocation& allocation) {
  Stamp* const first = last_writes() + arena.offset(access.address) / kCellBytes;
  Stamp* const last =
      last_writes() + (arena.offset(access.address) + access.bytes - 1) / kCellBytes;
  const bool is_atomic = access.kind == Access::kAtomic;
  for (Stamp* cell = first; cell <= last; ++cell) {
    if (cell->block == 0 || (cell->bytes & access.cell_bytes()) == 0) continue;
    if ((is_atomic && cell->is_atomic) || is_over(*cell)) continue;
    report_race(access, allocation, *cell);
    break;
  }
  if (!access.writes()) return;
  const Stamp now = stamp_now(access.site_number, access.cell_bytes(), is_atomic);
  for (Stamp* cell = first; cell <= last; ++cell) *cell = now;
}

}  // namespace

void access_global(const MemoryAccess& access) {
  const std::size_t offset = arena.offset(access.address);
  Allocation* const allocation = arena.owner(offset);
  const bool is_theirs = allocation != nullptr && allocation->freed_at == nullptr &&
                         allocation->contains(offset, access.bytes);
  if (!is_theirs) report_unowned(access, offset);
  if (!access.is_aligned()) report_misaligned(access, *allocation);
  if (access.kind != Access::kWrite && !arena.is_initialized(offset, access.bytes)) {
    report_uninitialized(access, *allocation);
  }
  if (access.kind == Access::kAtomic) order_by_atomic(access.address);
  Page& page = arena.page(offset);
  if (access.writes()) {
    arena.set_initialized(offset, access.bytes);
    page.written_in = machine.launch_number;
  }
  if (page.written_in == machine.launch_number) check_race(access, *allocation);
  if (machine.options.has_profile) profile.count_global(access);
}

void begin_global_races() {
  forget_order();
  for (const Allocation& allocation : arena.allocations()) {
    const std::size_t first = allocation.offset / kCellBytes;
    const std::size_t pages = (allocation.bytes + kPageBytes - 1) / kPageBytes;
    forget(last_writes() + first, pages * kPageBytes / kCellBytes * sizeof(Stamp));
  }
}

}  // namespace kv::simt

#include "simt/runtime/memory/global_memory.h"

#include <utility>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/map_memory.h"
#include "simt/runtime/core/progress.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/padding.h"
#include "simt/runtime/memory/stream_order.h"

namespace kv::simt {
namespace {

// The last write of this launch to each cell. Reads are not kept: when a write races with an
// earlier read, the reverse schedule runs the read after the write, and finds it.
Stamp* last_writes() {
  static Stamp* const cells =
      reinterpret_cast<Stamp*>(map_memory(arena.bytes() / kCellBytes * sizeof(Stamp)));
  return cells;
}

std::string name_of(const Allocation& allocation) {
  if (!allocation.name.empty()) return allocation.name;
  const auto number = &allocation - arena.allocations().data() + 1;
  return "allocation " + std::to_string(number) + " of " + std::to_string(allocation.bytes) +
         " bytes";
}

[[noreturn]] void report_unowned(const MemoryAccess& access, std::size_t offset) {
  const PauseChecks pause;
  Finding finding = finding_of(Kind::kOutOfBounds, access, "global",
                               " of device memory that was never allocated");
  if (const Allocation* const nearest = arena.closest(access.address)) {
    const bool is_freed = nearest->freed_at != nullptr && nearest->contains(offset, access.bytes);
    finding = finding_of(is_freed ? Kind::kUseAfterFree : Kind::kOutOfBounds, access, "global",
                         " " + distance_to(*nearest, access.address));
    finding.notes = {{"it was allocated here", nearest->allocated_at}};
    if (is_freed) finding.notes.push_back({"and freed here", nearest->freed_at});
  }
  fail(cudaErrorIllegalAddress, std::move(finding));
}

[[noreturn]] void report_misaligned(const MemoryAccess& access, const Allocation& allocation) {
  const PauseChecks pause;
  fail(cudaErrorMisalignedAddress,
       finding_of(Kind::kMisaligned, access, "global",
                  " " + distance_to(allocation, access.address) + ", which is not a multiple of " +
                      std::to_string(access.bytes)));
}

void report_uninitialized(const MemoryAccess& access, const Allocation& allocation) {
  const PauseChecks pause;
  Finding finding =
      finding_of(Kind::kUninitialized, access, "global",
                 " " + distance_to(allocation, access.address) + ", which was never written");
  finding.notes = {{"it was allocated here", allocation.allocated_at}};
  findings.add(std::move(finding));
}

// Checks a read that the bits call uninitialized.
void check_unwritten(const MemoryAccess& access, const Allocation& allocation) {
  const PauseChecks pause;
  const std::size_t offset = arena.offset(access.address);
  arena.find_unseen_writes(offset, access.bytes);
  if (machine.is_copying_padding || arena.is_initialized(offset, access.bytes)) return;
  if (!is_padding_in_global(access.address, access.bytes)) report_uninitialized(access, allocation);
}

void report_race(const MemoryAccess& access, const Allocation& allocation, const Stamp& earlier) {
  const PauseChecks pause;
  Finding race = finding_of(Kind::kGlobalRace, access, "global",
                            " " + distance_to(allocation, access.address));
  race.notes = {note_of(earlier, earlier.is_atomic ? "updates them here" : "writes them here")};
  if (const Site flag = flag_without_fence(earlier); flag != nullptr)
    race.notes.push_back({"it sets this flag with no __threadfence() in between", flag});
  add_race(access, earlier, std::move(race));
}

void check_race(const MemoryAccess& access, const Allocation& allocation) {
  Stamp* const first = last_writes() + arena.offset(access.address) / kCellBytes;
  Stamp* const last =
      last_writes() + (arena.offset(access.address) + access.bytes - 1) / kCellBytes;
  const bool is_atomic = access.is_atomic();
  const bool may_overlap = is_atomic || access.is_volatile;
  for (Stamp* cell = first; cell <= last; ++cell) {
    if (cell->block == 0 || (cell->bytes & access.cell_bytes()) == 0) continue;
    const bool may_be_overlapped = cell->is_atomic || cell->is_volatile;
    if ((may_overlap && may_be_overlapped) || happens_before(*cell)) continue;
    report_race(access, allocation, *cell);
    break;
  }
  if (!access.writes()) return;
  const Stamp now =
      stamp_now(access.site_number, access.cell_bytes(), is_atomic, access.is_volatile);
  for (Stamp* cell = first; cell <= last; ++cell) *cell = now;
}

}  // namespace

std::string distance_to(const Allocation& allocation, std::uintptr_t address) {
  const std::size_t offset = arena.offset(address);
  const std::string text =
      place_in({allocation.offset, allocation.bytes}, offset) + name_of(allocation);
  if (!allocation.place || !allocation.contains(offset, 1)) return text;
  return text + " (" + allocation.place(offset - allocation.offset) + ")";
}

bool is_padding_in_global(std::uintptr_t address, std::size_t bytes) {
  const std::size_t offset = arena.offset(address);
  const Allocation* const owner = arena.owner(offset);
  if (owner == nullptr || !owner->contains(offset, bytes)) return false;
  return is_only_padding({offset, offset + bytes}, {owner->offset, owner->offset + owner->bytes},
                         [](std::size_t at) { return arena.is_written(at); });
}

void access_global(const MemoryAccess& access) {
  const std::size_t offset = arena.offset(access.address);
  Allocation* const allocation = arena.owner(offset);
  const bool is_allowed = allocation != nullptr && allocation->freed_at == nullptr &&
                          allocation->contains(offset, access.bytes);
  if (!is_allowed) report_unowned(access, offset);
  if (!access.is_aligned()) report_misaligned(access, *allocation);
  if (access.reads() && !arena.is_initialized(offset, access.bytes)) {
    check_unwritten(access, *allocation);
  }
  if (access.is_atomic()) order_by_atomic(access.address, access.reads(), access.writes());
  if (access.is_volatile) order_by_volatile(access.address, access.writes(), access.site);
  if (stream_order.is_needed()) stream_order.use(offset, access.bytes, access.writes(), &access);
  Page& page = arena.page(offset);
  if (page.touched_in != machine.launch_number) {
    page.touched_in = machine.launch_number;
    arena.find_ready_bytes(offset);
    progress.memory_reached();
  }
  if (access.writes()) {
    arena.set_initialized(offset, access.bytes);
    page.written_in = machine.launch_number;
    allocation->was_written = true;
  }
  if (page.written_in == machine.launch_number) check_race(access, *allocation);
}

void begin_global_races() {
  forget_order();
  for (Allocation& allocation : arena.allocations()) {
    if (!std::exchange(allocation.was_written, false)) continue;
    const std::size_t first = allocation.offset / kCellBytes;
    const std::size_t pages = (allocation.bytes + kPageBytes - 1) / kPageBytes;
    forget(last_writes() + first, pages * kPageBytes / kCellBytes * sizeof(Stamp));
  }
}

}  // namespace kv::simt

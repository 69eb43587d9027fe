#include <algorithm>
#include <bit>

#include "simt/runtime/memory/async_copies.h"
#include "simt/runtime/memory/shared_memory.h"

namespace kv::simt {
namespace {

std::optional<Stamp> unordered(const Stamp& reader) {
  if (reader.block == 0 || happens_before(reader)) return {};
  return reader;
}

std::optional<Stamp> unordered_lane(const Readers& readers, std::uint32_t lanes) {
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const Stamp reader{.block = readers.block,
                       .thread = static_cast<std::uint16_t>((readers.warp * 32u + lane) & 0x3ff),
                       .bytes = 3,
                       .is_atomic = false,
                       .is_volatile = false,
                       .epoch = readers.epoch,
                       .clock = readers.clock,
                       .site = readers.site};
    if (!happens_before(reader)) return reader;
  }
  return {};
}

void add_lane(Readers& readers, const MemoryAccess& access) {
  const std::uint32_t lane = 1u << self().lane;
  if (readers.lanes == 0) readers.site = access.site_number;
  if (readers.site == access.site_number) {
    readers.lanes_at_site |= lane;
  } else if ((readers.lanes & lane) == 0) {
    readers.elsewhere =
        stamp_now(access.site_number, access.cell_bytes(), false, access.is_volatile);
  }
  readers.lanes |= lane;
}

}  // namespace

std::optional<Stamp> unordered_reader(const Readers& readers) {
  if (!are_current(readers)) return {};
  if (const auto reader = unordered(readers.other)) return reader;
  if (const auto reader = unordered_lane(readers, readers.lanes_at_site)) return reader;
  if (const auto reader = unordered(readers.elsewhere)) return reader;
  return unordered_lane(readers, readers.lanes);
}

void add_reader(Readers& readers, const MemoryAccess& access) {
  const Thread& me = self();
  const std::uint16_t clock = clock_now();
  const bool is_fresh = are_current(readers) && readers.warp == me.warp && readers.clock == clock;
  if (!is_fresh) {
    // Readers from before a __syncwarp need not be kept after it.
    const bool is_newer = readers.warp == me.warp && readers.clock != clock;
    if (!are_current(readers) || (is_newer && !unordered_reader(readers))) {
      const auto warp = static_cast<std::uint16_t>(me.warp);
      readers = {machine.block_number, machine.epoch, warp, 0, 0, clock, 0, {}, {}};
    }
    if (readers.warp != me.warp) {
      readers.other = stamp_now(access.site_number, access.cell_bytes(), false, access.is_volatile);
      return;
    }
    readers.clock = std::min(readers.clock, clock);
  }
  add_lane(readers, access);
}

namespace {

bool is_plain_read(SharedCell& cell, const MemoryAccess& access, std::uint16_t clock) {
  const Thread& me = self();
  Readers& readers = cell.readers;
  if (cell.write.block != machine.block_number || !is_ordered_by_barriers(cell.write)) return false;
  const std::uint32_t lane = 1u << me.lane;
  if (!are_current(readers)) {
    const auto warp = static_cast<std::uint16_t>(me.warp);
    const auto site = access.site_number;
    readers = {machine.block_number, machine.epoch, warp, lane, lane, clock, site, {}, {}};
    return true;
  }
  if (readers.warp != me.warp) {
    readers.other = stamp_now(access.site_number, access.cell_bytes(), false, access.is_volatile);
    return true;
  }
  if (readers.clock != clock || readers.site != access.site_number) return false;
  readers.lanes |= lane;
  readers.lanes_at_site |= lane;
  return true;
}

// Nobody but this thread has used the cell since the last barrier.
bool is_plain_write(const SharedCell& cell) {
  const Thread& me = self();
  const Readers& readers = cell.readers;
  const bool is_free =
      cell.write.block != machine.block_number || is_ordered_by_barriers(cell.write);
  const bool is_read_by_me = readers.warp == me.warp && readers.lanes == 1u << me.lane &&
                             readers.other.block == 0 && readers.elsewhere.block == 0;
  return is_free && (!are_current(readers) || is_read_by_me);
}

bool is_plain_read(std::span<SharedCell> cells, const MemoryAccess& access) {
  const std::uint16_t clock = clock_now();
  return std::ranges::all_of(cells,
                             [&](SharedCell& cell) { return is_plain_read(cell, access, clock); });
}

bool is_plain_write(std::span<SharedCell> cells, const MemoryAccess& access) {
  const auto is_plain = [](const SharedCell& cell) { return is_plain_write(cell); };
  if (!std::ranges::all_of(cells, is_plain)) return false;
  const Stamp now = stamp_now(access.site_number, access.cell_bytes(), false, access.is_volatile);
  for (SharedCell& cell : cells) cell.write = now;
  return true;
}

}  // namespace

bool is_plain_in_shared(const MemoryAccess& access) {
  const bool may_be = !access.is_atomic() && access.bytes >= kCellBytes && access.is_aligned() &&
                      !async_copies.has_any() &&
                      shared_memory.is_inside(access.address, access.bytes);
  if (!may_be) return false;
  const std::span<SharedCell> cells = shared_memory.cells(access.address, access.bytes);
  return access.writes() ? is_plain_write(cells, access) : is_plain_read(cells, access);
}

}  // namespace kv::simt

#include "simt/runtime/memory/access.h"

#include <algorithm>

#include "simt/runtime/core/held_races.h"
#include "simt/runtime/memory/padding.h"

namespace kv::simt {

const char* name_of(Access kind) {
  constexpr std::array kNames = {"read", "write", "atomic", "read", "write"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string text(const MemoryAccess& access) {
  constexpr std::array kActs = {"reads ", "writes ", "updates ", "reads ", "writes "};
  return kActs[static_cast<std::size_t>(access.kind)] + std::to_string(access.bytes) +
         (access.bytes == 1 ? " byte" : " bytes");
}

Finding finding_of(Kind kind,
                   const MemoryAccess& access,
                   const char* space,
                   const std::string& where) {
  return {.kind = kind,
          .site = access.site,
          .what = name_of(self()) + " " + text(access) + where,
          .access = {name_of(access.kind), space, access.bytes}};
}

namespace {

// How wide the elements are if the index was read from memory that nothing has written; 0: it was
// not.
int width_at_pattern(std::uintptr_t offset) {
  for (const int width : {1, 2, 4, 8, 16}) {
    const auto index = static_cast<std::int64_t>(offset) / width;
    if (index * width == static_cast<std::int64_t>(offset) && *about_pattern(index) != '\0')
      return width;
  }
  return 0;
}

}  // namespace

bool is_at_pattern(std::uintptr_t first, std::uintptr_t address) {
  return width_at_pattern(address - first) != 0;
}

std::string place_in(const Range& memory, std::uintptr_t address) {
  // From this distance on, in bytes, the access may have been meant for other memory.
  constexpr std::uintptr_t kFar = 1 << 20;
  const std::uintptr_t end = memory.first + memory.bytes;
  const bool is_before =
      static_cast<std::ptrdiff_t>(address) < static_cast<std::ptrdiff_t>(memory.first);
  if (!is_before && address < end)
    return "at byte " + std::to_string(address - memory.first) + " of ";
  if (address == end) return "right after the end of ";

  const std::uintptr_t distance = is_before ? memory.first - address : address - end;
  const std::string bytes = std::to_string(distance) + " bytes ";
  if (const int width = width_at_pattern(address - memory.first); width != 0) {
    return "at element -655371 of " + std::to_string(width) +
           " bytes (that number is the pattern of memory that nothing has written) of ";
  }
  if (distance >= kFar) return "in no memory; the nearest, " + bytes + "away, is ";
  return "at a place " + bytes + (is_before ? "before the start of " : "after the end of ");
}

void add_race(const MemoryAccess& access, const Stamp& earlier, Finding race) {
  if (access.kind == Access::kWrite && !earlier.is_atomic) {
    hold_write(reinterpret_cast<const void*>(access.address), access.bytes, std::move(race));
  } else if (access.kind == Access::kRead && earlier.is_atomic) {
    hold_read(std::move(race));
  } else {
    findings.add(std::move(race));
  }
}

Note note_of(const Stamp& earlier, const std::string& what) {
  // Why the index is computed: of an earlier block only the numbers are kept.
  const dim3& size = machine.shape.block;
  const unsigned number = earlier.thread;
  const uint3 index{number % size.x, number / size.x % size.y, number / size.x / size.y};
  std::string who = "thread " + text(index);
  if (earlier.block != machine.block_number) who += " of another block";
  return {who + " " + what, sites.site(earlier.site)};
}

__attribute__((init_priority(102))) Sites sites;

std::uint16_t Sites::look_up(Site site) {
  const auto known = std::find(sites_.begin(), sites_.end(), site);
  auto number = static_cast<std::size_t>(known - sites_.begin());
  if (known == sites_.end()) {
    number = std::min<std::size_t>(number, UINT16_MAX);  // beyond that, places share a number
    if (number == sites_.size()) {
      sites_.push_back(site);
      is_in_library_.push_back(program_image().is_in_library(site));
    }
  }
  slots_[slot_of(site)] = {site, static_cast<std::uint16_t>(number), is_in_library_[number]};
  return static_cast<std::uint16_t>(number);
}

}  // namespace kv::simt

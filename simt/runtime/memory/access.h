#pragma once
// One access of a kernel to memory, and what all checks of it share.

#include <cstdint>
#include <string>

#include "simt/runtime/memory/order.h"
#include "simt/runtime/report/sites.h"

namespace kv::simt {

enum class Access : std::uint8_t { kRead, kWrite, kAtomic };

inline constexpr unsigned kCellBytes = 2;  // races are looked for in cells of this size

struct MemoryAccess {
  std::uintptr_t address;
  unsigned bytes;
  Access kind;
  Site site;
  std::uint16_t site_number;

  bool writes() const { return kind != Access::kRead; }
  bool is_aligned() const { return (address & (bytes - 1)) == 0; }
  // Which bytes of a cell: a bit for each.
  unsigned cell_bytes() const { return bytes > 1 ? 3 : 1u << (address & 1); }
};

// Checks one access of at most 16 bytes, and counts it for the profile.
void check_access(std::uintptr_t address, unsigned bytes, Access kind, Site site);

// "reads 4 bytes"
std::string text(const MemoryAccess& access);

// "thread (3,0,0) reads 4 bytes"
std::string who_does(const MemoryAccess& access);

// The name and place of an access that came before.
Note note_of(const Stamp& earlier, const std::string& what);

}  // namespace kv::simt

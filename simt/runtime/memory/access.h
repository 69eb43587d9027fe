#pragma once
// One access of a kernel to memory, and the words in which findings describe it.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/runtime/core/findings.h"
#include "simt/runtime/core/happens_before.h"
#include "simt/runtime/memory/program_image.h"

namespace kv::simt {

enum class Access : std::uint8_t { kRead, kWrite, kAtomic, kAtomicRead, kAtomicWrite };

inline constexpr unsigned kCellBytes = 2;  // races are found in cells of this size

struct MemoryAccess {
  std::uintptr_t address;
  unsigned bytes;
  Access kind;
  Site site;
  std::uint16_t site_number;
  bool is_volatile = false;
  bool is_of_barrier = false;  // to a barrier that is an object

  bool reads() const { return kind != Access::kWrite && kind != Access::kAtomicWrite; }
  bool writes() const { return kind != Access::kRead && kind != Access::kAtomicRead; }
  bool is_atomic() const { return kind != Access::kRead && kind != Access::kWrite; }
  bool is_aligned() const { return (address & (bytes - 1)) == 0; }
  // The bytes of a cell that it touches: a bit for each.
  unsigned cell_bytes() const { return bytes > 1 ? 3 : 1u << (address & 1); }
};

// "read", "write", "atomic"
const char* name_of(Access kind);

// "reads 4 bytes"
std::string text(const MemoryAccess& access);

// "thread (3,0,0) reads 4 bytes" and where. `space` is that of an AccessName.
Finding finding_of(Kind kind,
                   const MemoryAccess& access,
                   const char* space,
                   const std::string& where);

// "at byte 4 of ", "right after the end of "; an address and a range, or two offsets.
std::string place_in(const Range& memory, std::uintptr_t address);

// Whether an index that is the pattern of memory that nothing has written leads from the first
// address to the other.
bool is_at_pattern(std::uintptr_t first, std::uintptr_t address);

// A race of this access, which has not happened yet, with an earlier write.
void add_race(const MemoryAccess& access, const Stamp& earlier, Finding race);

// The thread and the place of an earlier access.
Note note_of(const Stamp& earlier, const std::string& what);

// Numbers for the places in the program that touch memory, in the order in which they first do.
class Sites {
 public:
  std::uint16_t number_of(Site site) {
    const Slot& slot = slots_[slot_of(site)];
    return slot.site == site ? slot.number : look_up(site);
  }
  // The number of a place that no library has; 0: a library has it, or it has no number yet.
  std::uint16_t own_number_of(Site site) const {
    const Slot& slot = slots_[slot_of(site)];
    return slot.site == site && !slot.is_in_library ? slot.number : 0;
  }
  Site site(std::uint16_t number) const { return sites_[number]; }
  // Whether a function of a library has the place: of the C++ library, or NVIDIA's.
  bool is_in_library(std::uint16_t number) const { return is_in_library_[number]; }
  std::size_t size() const { return sites_.size(); }

 private:
  struct Slot {
    Site site;
    std::uint16_t number;
    bool is_in_library;
  };
  static constexpr std::size_t kSlots = 1 << 16;

  static std::size_t slot_of(Site site) {
    const auto address = reinterpret_cast<std::uintptr_t>(site);
    return (address ^ address >> 16) % kSlots;
  }
  std::uint16_t look_up(Site site);

  std::array<Slot, kSlots> slots_ = {};  // the last site of each hash
  std::vector<Site> sites_ = {nullptr};  // number 0 is no site
  std::vector<bool> is_in_library_ = {false};
};

extern Sites sites;

}  // namespace kv::simt

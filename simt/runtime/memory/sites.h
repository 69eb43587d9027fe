#pragma once
// Numbers for the places in the program that touch memory, in the order in which they first do.

#include <array>
#include <cstdint>
#include <vector>

#include "simt/runtime/core/findings.h"

namespace kv::simt {

class Sites {
 public:
  std::uint16_t number_of(Site site) {
    const Slot& slot = slots_[slot_of(site)];
    return slot.site == site ? slot.number : look_up(site);
  }
  Site site(std::uint16_t number) const { return sites_[number]; }
  std::size_t size() const { return sites_.size(); }

 private:
  struct Slot {
    Site site;
    std::uint16_t number;
  };
  static constexpr std::size_t kSlots = 1 << 16;

  static std::size_t slot_of(Site site) {
    const auto address = reinterpret_cast<std::uintptr_t>(site);
    return (address ^ address >> 16) % kSlots;
  }
  std::uint16_t look_up(Site site);

  std::array<Slot, kSlots> slots_ = {};  // the last site of each hash
  std::vector<Site> sites_ = {nullptr};  // number 0 is no site
};

extern Sites sites;

}  // namespace kv::simt

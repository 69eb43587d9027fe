#include "simt/runtime/memory/sites.h"

#include <algorithm>

namespace kv::simt {

__attribute__((init_priority(102))) Sites sites;

std::uint16_t Sites::look_up(Site site) {
  const auto known = std::find(sites_.begin(), sites_.end(), site);
  auto number = static_cast<std::size_t>(known - sites_.begin());
  if (known == sites_.end()) {
    number = std::min<std::size_t>(number, UINT16_MAX);  // beyond that, places share a number
    if (number == sites_.size()) sites_.push_back(site);
  }
  slots_[slot_of(site)] = {site, static_cast<std::uint16_t>(number)};
  return static_cast<std::uint16_t>(number);
}

}  // namespace kv::simt

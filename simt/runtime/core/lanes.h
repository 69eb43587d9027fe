#pragma once
// Sets of lanes as bit masks.

#include <bit>
#include <cstdint>
#include <string>

namespace kv::simt {

template <typename Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

// "0-15, 20"
std::string text_of_lanes(std::uint32_t lanes);
// "0x0000ffff"
std::string text_of_mask(std::uint32_t mask);

}  // namespace kv::simt

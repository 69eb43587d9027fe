#pragma once
// Sets of lanes as bit masks.

#include <bit>
#include <cstdint>
#include <string>

namespace kv::simt {

// "0-15, 20"
std::string text_of_lanes(std::uint32_t lanes);
// "0x0000ffff"
std::string text_of_mask(std::uint32_t mask);

}  // namespace kv::simt

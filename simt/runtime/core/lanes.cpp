#include "simt/runtime/core/lanes.h"

#include <cstdio>

namespace kv::simt {

std::string text_of_lanes(std::uint32_t lanes) {
  std::string text;
  while (lanes != 0) {
    const int first = std::countr_zero(lanes);
    const int length = std::countr_one(lanes >> first);
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (length > 1) text += "-" + std::to_string(first + length - 1);
    if (first + length == 32) break;
    lanes &= ~0u << (first + length);
  }
  return text;
}

std::string text_of_mask(std::uint32_t mask) {
  char text[11];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

}  // namespace kv::simt

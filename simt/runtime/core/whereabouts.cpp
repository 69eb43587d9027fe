// In words, where threads were when their launch was abandoned.

#include <algorithm>
#include <bit>

#include "simt/runtime/core/machine.h"

namespace kv::simt {
namespace {

struct Verb {
  const char* one;   // thread
  const char* many;  // lanes
};

// In the order of Doing.
constexpr Verb kVerbs[] = {
    {"runs this loop", "run this loop"},
    {"waits at this barrier", "wait at this barrier"},
    {"waits here for other lanes of its warp", "wait here for other lanes of their warps"},
    {"was here last", "were here last"},
    {"has not begun", "have not begun"},
    {"has returned", "have returned"},
};

// "warp 3", "warps 0-3, 7": those with these lanes.
std::string text_of_warps(const std::vector<std::uint32_t>& lanes, std::uint32_t wanted) {
  std::uint32_t warps = 0;  // a block has at most 32
  for (std::size_t warp = 0; warp < lanes.size(); ++warp) {
    warps |= (lanes[warp] == wanted ? 1u : 0u) << warp;
  }
  return (std::has_single_bit(warps) ? "warp " : "warps ") + text_of_lanes(warps);
}

}  // namespace

unsigned Whereabouts::first_thread() const {
  unsigned warp = 0;
  while (lanes[warp] == 0) ++warp;
  return warp * 32 + static_cast<unsigned>(std::countr_zero(lanes[warp]));
}

std::string Whereabouts::text() const {
  int num_threads = 0;
  for (const std::uint32_t mask : lanes) num_threads += std::popcount(mask);
  const Verb& verb = kVerbs[static_cast<int>(doing)];
  if (num_threads == 1) return name_of(machine.threads[first_thread()]) + " " + verb.one;
  std::string text;
  for (std::size_t warp = 0; warp < lanes.size(); ++warp) {
    const std::uint32_t mask = lanes[warp];
    const bool is_told = std::find(lanes.begin(), lanes.begin() + static_cast<std::ptrdiff_t>(warp),
                                   mask) != lanes.begin() + static_cast<std::ptrdiff_t>(warp);
    if (mask == 0 || is_told) continue;
    text += (text.empty() ? "" : "; ") +
            std::string(std::has_single_bit(mask) ? "lane " : "lanes ") + text_of_lanes(mask) +
            " of " + text_of_warps(lanes, mask);
  }
  return text + " " + verb.many;
}

}  // namespace kv::simt

#include "simt/runtime/core/lockstep.h"

#include <bit>

#include "simt/runtime/core/warp_calls.h"

namespace kv::simt {
namespace {

bool goes_first(const Thread& a, const Thread& b) {
  return a.depth != b.depth ? a.depth > b.depth : a.step < b.step;
}

std::uint32_t choose_group(const Thread* warp, std::uint32_t lanes) {
  const Thread* first = nullptr;
  std::uint32_t chosen = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    const Thread& thread = warp[lane];
    if (first == nullptr || goes_first(thread, *first)) {
      first = &thread;
      chosen = 0;
    }
    if (!goes_first(*first, thread)) chosen |= 1u << lane;
  });
  return chosen;
}

}  // namespace

unsigned first_lane(std::uint32_t lanes) {
  const bool forward = machine.options.schedule == Schedule::kForward;
  return static_cast<unsigned>(forward ? std::countr_zero(lanes) : 31 - std::countl_zero(lanes));
}

unsigned next_in_step(unsigned warp, std::uint32_t lanes) {
  std::uint32_t& group = machine.warps[warp].group;
  group &= lanes;
  if (group == 0) {
    ++machine.num_convergences;
    group = choose_group(first_thread(warp), lanes);
    ++machine.num_steps;
    machine.num_active_lanes += static_cast<std::uint64_t>(std::popcount(group));
  }
  const unsigned lane = first_lane(group);
  group &= ~(1u << lane);
  return lane;
}

}  // namespace kv::simt

// Why does nobody run? Every barrier opens when all live threads wait at it. So somebody waits in a
// call for a whole warp, for lanes that wait elsewhere.

#include <bit>

#include "simt/runtime/core/lanes.h"
#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/core/warp_calls.h"

namespace kv::simt {
namespace {

struct Pending {
  const Warp* warp;
  const WarpCall* call;
};

Pending first_pending() {
  unsigned warp = 0;
  while (machine.warps[warp].pending == 0) ++warp;
  const auto call = static_cast<unsigned>(std::countr_zero(machine.warps[warp].pending));
  return {&machine.warps[warp], &machine.warps[warp].calls[call]};
}

}  // namespace

void explain_deadlock() {
  const auto [warp, call] = first_pending();
  const std::uint32_t missing = call->mask & warp->live & ~call->arrived;
  const auto first = static_cast<std::size_t>(warp - machine.warps.data()) * 32;
  const Thread& absent =
      machine.threads[first + static_cast<std::size_t>(std::countr_zero(missing))];
  const bool is_in_other_call = absent.state == State::kInWarpCall;
  const std::string lanes = text_of_lanes(missing);
  fail(cudaErrorLaunchFailure,
       {.kind = is_in_other_call ? Kind::kDifferentCalls : Kind::kMissingLanes,
        .site = call->first_site,
        .what = "lanes " + text_of_lanes(call->arrived) + " wait in this call for lanes " + lanes +
                ", which mask " + text_of_mask(call->mask) + " names and which never come",
        .notes = {{"lane " + std::to_string(absent.lane) + " waits here instead, " +
                       (is_in_other_call ? "in another call" : "at a barrier"),
                   absent.waits_at}}});
}

}  // namespace kv::simt

#pragma once
// The product of two tiles whose elements the lanes of a warp share.

#include "simt/runtime/core/warp_calls.h"

namespace kv::simt {

// The values of the call are the addresses of a TileProduct for each lane.
void multiply_shares(const WarpCall& call);

}  // namespace kv::simt

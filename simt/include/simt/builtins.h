#pragma once
// The indices of a thread and the sizes of its launch. Real objects, so that `auto t = threadIdx.x`
// works. Threads see them as constants; the runtime, without const, sets them at each switch.

#include "simt/vector_types.h"

extern "C" {
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const uint3 blockDim;
extern const uint3 gridDim;
}

constexpr int warpSize = 32;

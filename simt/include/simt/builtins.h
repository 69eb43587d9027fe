#pragma once
// Who am I, of how many? Real objects, so that `auto t = threadIdx.x` works. For a thread they are
// constant; the runtime, which sees them without const, sets them at each switch of threads.

#include "simt/vector_types.h"

extern "C" {
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const uint3 blockDim;
extern const uint3 gridDim;
}

constexpr int warpSize = 32;

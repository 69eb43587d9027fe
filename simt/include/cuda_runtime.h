#pragma once
// CUDA on the CPU: what nvcc includes in every file. It is found instead of the toolkit's header,
// so a .cu file is the same for both. docs/simt.md says what is real CUDA here.

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simt/atomics.h"
#include "simt/builtins.h"
#include "simt/device_bits.h"
#include "simt/device_math.h"
#include "simt/host_api.h"
#include "simt/launch.h"
#include "simt/qualifiers.h"
#include "simt/shuffle.h"
#include "simt/sync.h"
#include "simt/vector_types.h"

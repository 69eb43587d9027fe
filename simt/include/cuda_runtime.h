#pragma once
// CUDA on the CPU: what nvcc includes in every file. It is found instead of the toolkit's header,
// so a .cu file is the same for both. simt/docs/simt.md says what is real CUDA here.

// nvcc includes these C headers, too; they give the global names isnan, clock, INT_MIN, memcpy.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// By these names other headers, such as helper_cuda.h of NVIDIA's samples, see that CUDA is there.
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__

#include "simt/hints.h"
#include "simt/host_api.h"
#include "simt/host_memory.h"
#include "simt/host_queries.h"
#include "simt/not_here.h"
#include "simt/qualifiers.h"
#include "simt/vector_types.h"

// NVIDIA's C++ library, where it is installed, is compiled as code of the host. It asks once who
// compiles it, here.
#if __has_include(<cuda/std/__cccl/compiler.h>)
#pragma push_macro("__CUDACC__")
#pragma push_macro("__NVCC__")
#undef __CUDACC__
#undef __NVCC__
#include <cuda/std/__cccl/compiler.h>
#pragma pop_macro("__NVCC__")
#pragma pop_macro("__CUDACC__")
#endif

// What only a .cu file sees. Why: a .cpp file may have its own umin.
#ifdef __CUDACC__
#define __CUDACC_VER_MAJOR__ KV_SIMT_CUDA
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#include "simt/address_spaces.h"
#include "simt/atomics.h"
#include "simt/builtins.h"
#include "simt/device_bits.h"
#include "simt/device_math.h"
#include "simt/dpx.h"
#include "simt/intrinsics.h"
#include "simt/launch.h"
#include "simt/packed.h"
#include "simt/rounded_math.h"
#include "simt/shuffle.h"
#include "simt/sync.h"
#endif

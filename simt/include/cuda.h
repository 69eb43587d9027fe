#pragma once
// The header of CUDA's driver interface. Many programs include it and use only the runtime's
// interface; functions of the driver (cuInit, cuMemAlloc) are not here.

#include "cuda_runtime.h"

#define CUDA_VERSION CUDART_VERSION

#pragma once
// Edits in the bodies of functions that only the device runs.

#include <vector>

#include "simt/rewrite/edited_source.h"

namespace kv::simt {

// For each token: whether it is in the body of a function that is __global__ or __device__, and not
// __host__.
std::vector<bool> device_code(const EditedSource& code);

// nvcc compiles device code for an architecture, and __CUDA_ARCH__ is its number; host code has no
// such macro. One compilation makes both here, so the number is written into device code: 800, as
// for sm_80. The heap of kernels becomes names of not_here.h.
void rewrite_device_code(EditedSource& code, const std::vector<bool>& is_device);

}  // namespace kv::simt

#pragma once
// `./lab test --gpu`: compares "CUDA on the CPU" with a real GPU and NVIDIA's own tools: its counts
// with Nsight Compute, its findings with compute-sanitizer.

#include "base/kit/kit.h"

namespace kv::grader {

// Compiles with nvcc, for the GPU that is here.
fs::path compile_for_gpu(const Kit& kit, const fs::path& source);

// Each prints a line for each comparison and returns whether all agree.
bool gpu_counts_agree(const Kit& kit);
bool gpu_findings_agree(const Kit& kit);
// Both. Throws UsageError on a machine without a GPU, or without one of the tools.
bool gpu_agrees(const Kit& kit);

}  // namespace kv::grader

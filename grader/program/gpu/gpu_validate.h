#pragma once
// `./lab gpu-validate`: asks a real GPU, through NVIDIA's own tools, whether "CUDA on the CPU"
// tells the truth: its counts under Nsight Compute, its findings under compute-sanitizer.

#include "grader/program/kit/kit.h"

namespace kv::grader {

int gpu_validate_command(const Kit& kit);  // throws UsageError: what is missing here

// With nvcc, for the GPU that is here.
fs::path compile_for_gpu(const Kit& kit, const fs::path& source);

// Both say line by line what they compare, and whether all is as we say.
bool gpu_counts_agree(const Kit& kit);
bool gpu_findings_agree(const Kit& kit);

}  // namespace kv::grader

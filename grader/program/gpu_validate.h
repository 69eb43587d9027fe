#pragma once
// `./lab gpu-validate`: asks a real GPU, through NVIDIA's own tools, whether "CUDA on the CPU"
// tells the truth: its counts under Nsight Compute, its findings under compute-sanitizer.

#include "grader/program/kit.h"

namespace kv::grader {

int gpu_validate_command(const Kit& kit);  // throws UsageError: what is missing here

}  // namespace kv::grader

#pragma once
// What the host's compiler has to be told about device code, because CUDA's keywords mean nothing
// to it. Every __device__ variable, and every __constant__ one without an initializer, gets a
// section of its own, by which it differs from the host's variables:
//
//   __device__ int total;
//   KV_SIMT_SECTION("kv_simt_device") int total;
//
// and a kernel with __launch_bounds__ compares them with its block:
//
//   __global__ void __launch_bounds__(128) scale(float* x) {
//   __global__ void __launch_bounds__(128) scale(float* x) { ::kv::simt::check_launch_bounds(128);

#include "simt/rewrite/edited_source.h"

namespace kv::simt {

void rewrite_device_variables(EditedSource& code);
void rewrite_launch_bounds(EditedSource& code);

}  // namespace kv::simt

#pragma once
// A kernel, and a host function that launches it.

static __global__ void add_one(float* data, int n) {
  if (threadIdx.x < n) data[threadIdx.x] += 1;
}

inline void add_in_header(float* data, int n) {
  add_one<<<1, 32>>>(data, n);
}

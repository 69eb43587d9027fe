#pragma once

struct Pair {
  int first, second;
};

__device__ inline Pair pair_of(int i) {
  return {i, i};
}

// g++ does not record a store of a struct that a function returns.
static __global__ void fill_pairs(Pair* pairs) {
  const int t = threadIdx.x;
  pairs[t] = pair_of(t);  // finding 4
}

#pragma once
// What the optimized kernel is measured against.

#include <cstddef>
#include <span>

#include "05-paged-attention/bench/workload.h"

namespace kv::bench {

// The sum of all numbers: reads every byte once, in order, and does next to nothing with it.
float read_all(std::span<const float> numbers, std::size_t num_threads);

// The usual form with Eigen, for each query head: all scores, then all values, in place.
void eigen_two_passes(Workload<float>& workload, std::size_t num_threads);

// Copies the keys and values of each KV head into matrices, then two matrix products for its group.
void gather_then_multiply(Workload<float>& workload, std::size_t num_threads);

}  // namespace kv::bench

#pragma once
// How long launches take on a GPU, and the limit that they are compared with: a plain read of the
// same bytes.

#include <algorithm>
#include <functional>
#include <vector>

#include "06-cuda-kernel/given/cuda_check.h"
#include "06-cuda-kernel/given/device_array.h"
#include "06-cuda-kernel/given/vec16.cuh"

namespace kv::bench {

// Each thread has eight loads of 16 bytes on their way at a time. The sum is written only if it is
// a number that no sum of these bytes is likely to be: a load that nobody needs would be left out.
static __global__ void read_once(const uint4* from, std::size_t size, unsigned* sink) {
  constexpr int kUnroll = 8;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  unsigned sum = 0;
  std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + (kUnroll - 1) * step < size; i += kUnroll * step) {
    uint4 loaded[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) loaded[k] = from[i + k * step];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) sum += loaded[k].x ^ loaded[k].y ^ loaded[k].z ^ loaded[k].w;
  }
  for (; i < size; i += step) sum += from[i].x ^ from[i].y ^ from[i].z ^ from[i].w;
  if (sum == 0x9e3779b9u) *sink = sum;
}

constexpr int kReadBlocks = 2048;  // more than a GPU has at work at one time
constexpr int kReadThreads = 256;

// Fills the cache of the GPU with other bytes, so that keys and values come from memory in each
// round. Why by a read: after a write, the cache would have to write its bytes back while the
// kernel runs.
class CacheFlush {
 public:
  CacheFlush() { KV_CUDA_CHECK(cudaMemset(bytes_.data(), 1, bytes_.size() * sizeof(uint4))); }
  void operator()() const {
    read_once<<<kReadBlocks, kReadThreads>>>(bytes_.data(), bytes_.size(), sink_.data());
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{256} << 20;  // an H100 has a cache of 50 MB
  DeviceArray<uint4> bytes_{kBytes / sizeof(uint4)};
  DeviceArray<unsigned> sink_{1};
};

// The median of some launches, after two that warm up.
inline double seconds_of(const std::function<void()>& launch) {
  constexpr int kNumRounds = 11;
  static const CacheFlush flush;
  cudaEvent_t begin, end;
  KV_CUDA_CHECK(cudaEventCreate(&begin));
  KV_CUDA_CHECK(cudaEventCreate(&end));
  launch();
  launch();
  std::vector<float> milliseconds(kNumRounds);
  for (float& each : milliseconds) {
    flush();
    KV_CUDA_CHECK(cudaEventRecord(begin));
    launch();
    KV_CUDA_CHECK(cudaEventRecord(end));
    KV_CUDA_CHECK(cudaEventSynchronize(end));
    KV_CUDA_CHECK(cudaEventElapsedTime(&each, begin, end));
  }
  KV_CUDA_CHECK(cudaGetLastError());
  KV_CUDA_CHECK(cudaEventDestroy(begin));
  KV_CUDA_CHECK(cudaEventDestroy(end));
  std::nth_element(milliseconds.begin(), milliseconds.begin() + kNumRounds / 2, milliseconds.end());
  return milliseconds[kNumRounds / 2] / 1000;
}

// Numbers from -1 to 1 that look random. Why not zeros: memory and arithmetic can be faster on
// them.
template <class Scalar>
__global__ void fill_with_noise(Scalar* numbers, std::size_t size, unsigned seed) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += step) {
    unsigned hash = (static_cast<unsigned>(i) ^ seed) * 2654435761u;
    hash = (hash ^ hash >> 15) * 2246822519u;
    numbers[i] = from_float<Scalar>(static_cast<float>(hash >> 8) / (1 << 23) - 1);
  }
}

}  // namespace kv::bench

#pragma once
// What ./lab simt --call writes a main function with: arrays on the device, and what became of
// them.

#include <algorithm>
#include <cstdio>
#include <type_traits>
#include <vector>

#include "cuda_runtime.h"

namespace kv::simt {

// Small numbers of both signs, or small integers, in no order; other ones for each argument.
template <typename T>
T number_of(std::size_t element, int argument) {
  const auto number = static_cast<int>((element * 31 + element / 7 + argument * 17) % 201);
  if constexpr (std::is_integral_v<T>) return static_cast<T>(number % 16);
  return T(static_cast<float>(number - 100) / 100.0f);
}

// An array that the call gets.
template <typename T>
class CallArray {
 public:
  CallArray(std::size_t size, int argument) : before_(size) {
    for (std::size_t i = 0; i < size; ++i) before_[i] = number_of<T>(i, argument);
    cudaMalloc(&data_, size * sizeof(T));
    cudaMemcpy(data_, before_.data(), size * sizeof(T), cudaMemcpyHostToDevice);
  }
  T* data() const { return data_; }

  // Shows it if the call has changed it, and frees it.
  void show(int argument) {
    constexpr std::size_t kShown = 8;
    std::vector<T> now(before_.size());
    cudaMemcpy(now.data(), data_, now.size() * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(data_);
    if (__builtin_memcmp(now.data(), before_.data(), now.size() * sizeof(T)) == 0) return;
    std::printf("argument %d is now", argument);
    for (std::size_t i = 0; i < std::min(kShown, now.size()); ++i)
      std::printf(" %g", static_cast<double>(static_cast<float>(now[i])));
    std::printf(now.size() > kShown ? " ...\n" : "\n");
  }

 private:
  std::vector<T> before_;
  T* data_ = nullptr;
};

// After the call: 0, or the exit code of a program that has failed.
inline int end_call() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("the call has failed: %s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}

}  // namespace kv::simt

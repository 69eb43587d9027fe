#pragma once
// Memory of the device that frees itself.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

namespace kv {

template <class Number>
class DeviceArray {
 public:
  // Nothing is written to it: the simulator finds every read.
  explicit DeviceArray(std::size_t size) : size_(size) {
    cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(Number));
  }
  explicit DeviceArray(const std::vector<Number>& values) : DeviceArray(values.size()) {
    write(0, values.data(), values.size());
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  Number* data() const { return data_; }
  std::size_t size() const { return size_; }

  void write(std::size_t begin, const Number* values, std::size_t num_values) {
    if (num_values == 0) return;
    cudaMemcpy(data_ + begin, values, num_values * sizeof(Number), cudaMemcpyHostToDevice);
  }

  // Waits for the launches so far.
  std::vector<Number> read() const {
    std::vector<Number> values(size_);
    cudaMemcpy(values.data(), data_, size_ * sizeof(Number), cudaMemcpyDeviceToHost);
    return values;
  }

 private:
  Number* data_ = nullptr;
  std::size_t size_;
};

}  // namespace kv
